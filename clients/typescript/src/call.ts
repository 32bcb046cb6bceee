import { DECIMALS } from "./models.js";

/** An operation, and how its response is read. */
export interface Call<Answer> {
  readonly method: string;
  readonly path: string;
  readonly read: (response: Response) => Promise<Answer>;
}

export function call<Answer>(method: string, path: string, read: Call<Answer>["read"]): Call<Answer> {
  return { method, path, read };
}

export async function json<Answer>(response: Response): Promise<Answer> {
  return parse<Answer>(await response.text());
}

export async function bytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

export async function none(): Promise<void> {}

/** The path of a call with the ids in their places. */
export function pathOf(call: Call<unknown>, ids: readonly unknown[]): string {
  const left = [...ids];
  return call.path.replace(/\{\w+\}/g, () => encodeURIComponent(String(left.shift())));
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON, with exact numbers as texts of all their digits. */
export function parse<Answer>(text: string): Answer {
  let key = "";
  let end = 0;
  const exact = text.replace(STRING_OR_NUMBER, (token, offset: number) => {
    const isKeyed = /^\s*:\s*$/.test(text.slice(end, offset));
    const isDecimal = token[0] !== '"' && isKeyed && DECIMALS.has(key);
    key = token.slice(1, -1);
    end = offset + token.length;
    return isDecimal ? `"${token}"` : token;
  });
  return JSON.parse(exact) as Answer;
}

/** A parameter as the service reads it. */
export function queryText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

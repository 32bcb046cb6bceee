/** Webhooks as receivers check them: https://www.standardwebhooks.com. */

import { parse } from "./call.js";
import { WebhookVerificationError } from "./errors.js";
import type { DeletedEvent, Event } from "./models.js";

/** Those of `fetch`, of Node, or of a framework. */
export type HeadersOf = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old a webhook may be; 300 without it. */
  toleranceSeconds?: number | undefined;
  /** The present, for tests. */
  now?: Date | undefined;
}

/**
 * The event of a webhook, with its body exactly as received. Throws WebhookVerificationError unless it is signed with
 * one of the secrets, at most `toleranceSeconds` ago. A public key (`whpk_`) can take the place of a secret.
 */
export async function verify(
  body: Uint8Array | string,
  headers: HeadersOf,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event | DeletedEvent> {
  await verifySignature(body, headers, secrets, options);
  return parse<Event | DeletedEvent>(typeof body === "string" ? body : new TextDecoder().decode(body));
}

/** What `verify` does, without reading the body. */
export async function verifySignature(
  body: Uint8Array | string,
  headers: HeadersOf,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<void> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (!id || !timestamp || !/^-?\d+$/.test(timestamp) || signatures === undefined) {
    throw new WebhookVerificationError("the headers webhook-id, -timestamp and -signature are missing or wrong");
  }
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (age > toleranceSeconds) throw new WebhookVerificationError(`signed ${age.toFixed()} s from now`);
  const text = joined(`${id}.${timestamp}.`, body);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    if (await isSigned(secret, text, signatures)) return;
  }
  throw new WebhookVerificationError("not signed with any of the secrets");
}

function header(headers: HeadersOf, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === "object" ? value[0] : value;
}

function joined(start: string, body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [first, second] = [encoder.encode(start), typeof body === "string" ? encoder.encode(body) : body];
  const text = new Uint8Array(first.length + second.length);
  text.set(first);
  text.set(second, first.length);
  return text;
}

/** Web Crypto compares in constant time. */
async function isSigned(secret: string, text: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const isPair = secret.startsWith("whpk_");
  const algorithm = isPair ? { name: "Ed25519" } : { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", keyBytes(secret), algorithm, false, ["verify"]);
  for (const signature of given(signatures, isPair ? "v1a" : "v1")) {
    if (await crypto.subtle.verify(algorithm, key, signature, text)) return true;
  }
  return false;
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const found = fromBase64(secret.replace(/^wh(sec|pk)_/, ""));
  if (!found?.length) throw new TypeError("a secret is `whsec_`, a public key `whpk_`, and base64");
  return found;
}

function* given(signatures: string, version: string): Generator<Uint8Array<ArrayBuffer>> {
  for (const each of signatures.split(" ")) {
    const [found, value = ""] = each.split(",", 2);
    const signature = found === version ? fromBase64(value) : undefined;
    if (signature) yield signature;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** A document as the body of a call. */

import type { Parts } from "./transport.js";

/** A document as bytes. A stream is read to its end before it is sent, so that the call can be repeated. */
export type FileSource = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A document: exactly one of `file`, a public https `url`, and `base64`. */
export interface NewDocument {
  file?: FileSource | undefined;
  url?: string | undefined;
  base64?: string | undefined;
  /** Default: the name of a `File`. */
  file_name?: string | undefined;
}

/** A document with a label of its own, and whether the service waits for its invoice. */
export interface NewInvoice extends NewDocument {
  metadata?: Record<string, string> | undefined;
  /** The service holds the call until the invoice is finished, for up to 60 s. */
  wait?: boolean | undefined;
}

/** The bytes of a document. */
export async function readBytes(file: FileSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(file).arrayBuffer());
}

export function nameOf({ file, file_name }: NewDocument): string {
  return file_name ?? (file instanceof File ? file.name : "document");
}

/** Throws TypeError unless exactly one of the sources is given. */
export function checkOneSource(sources: Record<string, unknown>): void {
  const given = Object.values(sources).filter((source) => source !== undefined);
  if (given.length !== 1) throw new TypeError(`pass exactly one of ${Object.keys(sources).join(", ")}`);
}

/** A form with the document, or JSON with what stands for it. */
export async function uploadBody(document: NewInvoice): Promise<Pick<Parts, "form" | "json">> {
  const { file, url, base64, file_name, metadata } = document;
  checkOneSource({ file, url, base64 });
  if (file === undefined) {
    const name = base64 === undefined ? file_name : nameOf(document);
    return { json: { file_url: url, file_base64: base64, file_name: name, metadata } };
  }
  const form = new FormData();
  form.set("file", new Blob([await readBytes(file)]), nameOf(document));
  if (metadata) form.set("metadata", JSON.stringify(metadata));
  return { form };
}

import { createPublicKey, verify as isSigned } from "node:crypto";

// The event; throws where it is changed, over five minutes old or signed with another key. `body`: Buffer, as received.
export function verify(publicKey, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) throw new Error("too old, or not from now");
  const x = Buffer.from(publicKey.replace(/^whpk_/, ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = signatures.split(" ").filter((one) => one.startsWith("v1a,")).map((one) => Buffer.from(one.slice(4), "base64"));
  if (!given.some((signature) => isSigned(null, signed, key, signature))) throw new Error("not signed");
  return JSON.parse(body);
}

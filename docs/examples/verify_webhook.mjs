import { createHmac, timingSafeEqual } from "node:crypto";

// The event; throws where it is changed, over five minutes old or signed with another secret. `body`: Buffer, as received.
export function verify(secret, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) throw new Error("too old, or not from now");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = Buffer.from("v1," + createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64"));
  const given = signatures.split(" ").map((signature) => Buffer.from(signature));
  if (!given.some((one) => one.length === right.length && timingSafeEqual(one, right))) throw new Error("not signed");
  return JSON.parse(body);
}

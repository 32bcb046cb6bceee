import assert from "node:assert/strict";
import { createHmac, webcrypto } from "node:crypto";
import { test } from "node:test";
import { isDeletedEvent, WebhookVerificationError, webhooks } from "../src/index.js";

// The example of https://github.com/standard-webhooks/standard-webhooks.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const VECTOR = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const BODY = '{"test": 2432232314}';
const AT = new Date(1_614_265_330_000);
const OTHER = `whsec_${btoa("another secret of this test")}`;

test("the vector of the standard", async () => {
  await webhooks.verifySignature(BODY, VECTOR, SECRET, { now: AT });
  await webhooks.verifySignature(new TextEncoder().encode(BODY), new Headers(VECTOR), [OTHER, SECRET], { now: AT });
  await webhooks.verifySignature(BODY, { "Webhook-Id": [VECTOR["webhook-id"]], ...upper(VECTOR) }, SECRET, { now: AT });
});

function upper(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).slice(1).map(([name, value]) => [name.toUpperCase(), value]));
}

const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1000);
const REFUSED: [string, Record<string, string>, string, string, Date][] = [
  ["another body", {}, `${BODY} `, SECRET, AT],
  ["another secret", {}, BODY, OTHER, AT],
  ["too old", {}, BODY, SECRET, later(301)],
  ["from the future", {}, BODY, SECRET, later(-301)],
  ["another id", { "webhook-id": "msg_other" }, BODY, SECRET, AT],
  ["another time", { "webhook-timestamp": "1614265331" }, BODY, SECRET, AT],
  ["no time", { "webhook-timestamp": "now" }, BODY, SECRET, AT],
  ["no signature", { "webhook-signature": "" }, BODY, SECRET, AT],
  ["another version", { "webhook-signature": VECTOR["webhook-signature"].replace("v1,", "v2,") }, BODY, SECRET, AT],
  ["half a signature", { "webhook-signature": "v1,g0hM9SsE+OTPJTGt" }, BODY, SECRET, AT],
  ["no base64", { "webhook-signature": "v1,not base64!" }, BODY, SECRET, AT],
];
for (const [name, changes, body, secret, now] of REFUSED) {
  test(`what is not signed is refused: ${name}`, async () => {
    const checked = webhooks.verifySignature(body, { ...VECTOR, ...changes }, secret, { now });
    await assert.rejects(checked, WebhookVerificationError);
  });
}

test("several signatures and another tolerance", async () => {
  const both = { ...VECTOR, "webhook-signature": `v1a,xyz v1,AAAA ${VECTOR["webhook-signature"]}` };
  await webhooks.verifySignature(BODY, both, SECRET, { now: later(599), toleranceSeconds: 600 });
});

test("a missing header is refused", async () => {
  await assert.rejects(webhooks.verifySignature(BODY, { "webhook-id": "1" }, SECRET), /missing/);
});

test("a secret in another form is an error of the program", async () => {
  await assert.rejects(webhooks.verifySignature(BODY, VECTOR, "no secret!", { now: AT }), TypeError);
});

test("a key pair verifies too", async () => {
  const { privateKey, publicKey } = (await webcrypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const raw = Buffer.from(await webcrypto.subtle.exportKey("raw", publicKey)).toString("base64");
  const stamp = String(Math.floor(Date.now() / 1000));
  const signed = await webcrypto.subtle.sign("Ed25519", privateKey, Buffer.from(`evt_1.${stamp}.${BODY}`));
  const signature = `v1,AAAA v1a,${Buffer.from(signed).toString("base64")}`;
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": stamp, "webhook-signature": signature };
  await webhooks.verifySignature(BODY, headers, `whpk_${raw}`);
  await assert.rejects(webhooks.verifySignature(`${BODY} `, headers, `whpk_${raw}`), WebhookVerificationError);
});

test("an event is typed, and its sums are exact", async () => {
  const stamp = String(Math.floor(Date.now() / 1000));
  const sign = (body: string): Record<string, string> => {
    const digest = createHmac("sha256", Buffer.from(OTHER.slice(6), "base64")).update(`evt_1.${stamp}.${body}`).digest("base64");
    return { "webhook-id": "evt_1", "webhook-timestamp": stamp, "webhook-signature": `v1,${digest}` };
  };
  const body = (invoice: string): string => `{"id": "evt_1", "type": "invoice.complete", "data": {"invoice": ${invoice}}}`;
  const gone = body('{"id": "1", "object": "invoice", "deleted": true}');
  assert.ok(isDeletedEvent(await webhooks.verify(gone, sign(gone), [SECRET, OTHER])));
  const read = body('{"id": "1", "amount": 10.50}');
  const event = await webhooks.verify(read, sign(read), OTHER);
  assert.ok(!isDeletedEvent(event));
  assert.equal(event.data.invoice.amount, "10.50");
});

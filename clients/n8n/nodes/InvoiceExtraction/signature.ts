import { createHmac, timingSafeEqual } from 'crypto';

const TOLERANCE_S = 300;

type Headers = Record<string, string | string[] | undefined>;

/** Whether a webhook is signed with the secret, as Standard Webhooks defines, within the last five minutes. */
export function isSigned(secret: string, headers: Headers, body: Buffer, now = Date.now() / 1000): boolean {
	const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
		String(headers[name] ?? ''),
	);
	if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_S) return false;
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
	const expected = Buffer.from(`v1,${digest}`);
	return signatures.split(' ').some((one) => {
		const given = Buffer.from(one);
		return given.length === expected.length && timingSafeEqual(given, expected);
	});
}

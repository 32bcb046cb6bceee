import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { binaryItem, run } from './engine.mjs';

const KEY = 'inv_live_secret';
const DONE = { status: 201, body: { id: 'i1', status: 'complete', file: { name: 'a.pdf' }, batch: null } };
const refusal = (status, code, type = 'api_error', retryAfter) => ({
	status,
	body: { error: { type, code, message: `The service says ${code}.`, param: null } },
	headers: { 'x-request-id': 'r1', ...(retryAfter && { 'retry-after': retryAfter }) },
});
const LIMITED = refusal(429, 'rate_limited', 'rate_limit_error', '0');
const QUOTA = refusal(429, 'monthly_quota_reached', 'quota_exceeded', '1');
const LOST = { lost: true };

/** A service that gives each of the answers, and keeps the requests. */
let steps = [];
let requests = [];
const server = createServer((request, response) => {
	const step = steps.length > 1 ? steps.shift() : steps[0];
	requests.push({ method: request.method, url: request.url, headers: request.headers });
	request.resume().on('end', () => {
		if (step.lost) return request.socket.destroy();
		const headers = { 'content-type': 'application/json', ...step.headers };
		response.writeHead(step.status, headers).end(JSON.stringify(step.body ?? {}));
	});
});
const credentials = { apiKey: KEY };

before(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	credentials.url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());
afterEach(() => (requests = []));

async function create(...answers) {
	steps = answers;
	return await run({ operation: 'create' }, [binaryItem('%PDF-')], { credentials });
}

for (const [name, failures] of [
	['a rate limit', [LIMITED, LIMITED]],
	['a fault of the service', [refusal(503, 'service_unavailable', 'api_error', '0')]],
	['a slow request', [refusal(408, 'request_timeout', 'invalid_request_error', '0')]],
	['the same call in progress', [refusal(409, 'idempotency_in_flight', 'api_error', '0')]],
	['a lost connection', [LOST]],
]) {
	test(`a document is sent again after ${name}, with the same key`, async () => {
		const [{ json }] = await create(...failures, DONE);
		assert.equal(json.id, 'i1');
		assert.equal(requests.length, failures.length + 1);
		assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
	});
}

for (const answer of [QUOTA, refusal(400, 'invalid_body'), refusal(409, 'idempotency_conflict'), refusal(401, 'x')]) {
	test(`${answer.status} ${answer.body.error.code} ends at once`, async () => {
		await assert.rejects(create(answer), { message: answer.body.error.message, httpCode: String(answer.status) });
		assert.equal(requests.length, 1);
	});
}

test('a long Retry-After ends at once too', async () => {
	await assert.rejects(create(refusal(503, 'service_unavailable', 'api_error', '3600')), { httpCode: '503' });
	assert.equal(requests.length, 1);
});

test('it gives up at last, with the message of the service', async () => {
	await assert.rejects(create(LIMITED), { message: 'The service says rate_limited.', httpCode: '429' });
	assert.equal(requests.length, 6);
});

test('a redirect is not followed with the key', async () => {
	const headers = { location: `${credentials.url}/elsewhere` };
	await assert.rejects(create({ status: 307, headers }), { message: /correct the URL in the credentials/ });
	assert.equal(requests.length, 1);
});

test('an answer that is no JSON of the service is an error with its status', async () => {
	await assert.rejects(create({ status: 404, body: 'nothing here' }), { message: /status 404/, httpCode: '404' });
});

test('a document that is not read in time keeps its ID in the error', async () => {
	steps = [{ status: 202, body: { ...DONE.body, status: 'queued' } }];
	const parameters = { operation: 'create', options: { timeout: 0.01 } };
	const error = await run(parameters, [binaryItem('%PDF-')], { credentials }).catch((error) => error);
	assert.equal(error.message, 'Invoice i1 is still queued');
});

test('each invoice of a file is an item of the same input item, in the order of the file', async () => {
	const invoice = (index) => ({ ...DONE.body, id: `i${index}`, batch: { id: 'b1', index } });
	const page = { data: [invoice(2), invoice(0), invoice(1)], has_more: false };
	const found = await create({ status: 201, body: invoice(0) }, { status: 200, body: page });
	assert.deepEqual(
		found.map(({ json }) => json.id),
		['i0', 'i1', 'i2'],
	);
	assert.deepEqual(
		found.map(({ pairedItem }) => pairedItem),
		Array(3).fill({ item: 0 }),
	);
	assert.equal(requests[1].url, '/v1/invoices?batch=b1&limit=100');
});

test('a document that cannot be read is a row with its failure', async () => {
	const failure = { code: 'encrypted', message: 'The document has a password.' };
	const [{ json }] = await create({ status: 201, body: { ...DONE.body, status: 'failed', failure } });
	assert.equal(json.failure, 'The document has a password.');
});

test('no error shows the key', async () => {
	for (const answer of [QUOTA, refusal(401, 'invalid_api_key')]) {
		const error = await create(answer).catch((error) => error);
		assert.ok(!(JSON.stringify(error) + error.stack).includes(KEY));
	}
	server.closeAllConnections();
	const nowhere = { apiKey: KEY, url: 'http://127.0.0.1:1' };
	const parameters = { operation: 'create', options: { timeout: 1 } };
	const error = await run(parameters, [binaryItem('%PDF-')], { credentials: nowhere }).catch((error) => error);
	assert.match(error.message, /did not answer/);
	assert.equal(error.description, 'Code: ECONNREFUSED');
	assert.ok(!(JSON.stringify(error) + error.stack).includes(KEY));
});

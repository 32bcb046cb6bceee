import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { binaryItem, call, run, service } from './engine.mjs';

const PDF = await readFile(new URL('./invoice.pdf', import.meta.url));
const TEXT = Buffer.from('no document');
const create = { operation: 'create', source: 'binary' };

test('a file becomes a row with its values and how certain they are', async () => {
	const [item] = await run(create, [binaryItem(PDF, 'may.pdf')]);
	const { id, ...row } = item.json;
	assert.match(id, /^[0-9a-f-]{36}$/);
	assert.deepEqual(row, {
		...{ file: 'may.pdf', status: 'complete', vendor_name: 'ACME GmbH', invoice_number: '2026-17' },
		...{ issued_at: '2026-05-02', due_at: '2026-06-01', amount: 1190.5, tax: 190, currency: 'EUR' },
		...{ vendor_confidence: null, invoice_number_confidence: null, amount_confidence: 'high' },
		...{ currency_confidence: null, issued_at_confidence: null, due_at_confidence: null, tax_confidence: null },
		...{ auto_verified: false, failure: null },
	});
	assert.deepEqual(item.pairedItem, { item: 0 });
});

test('without Simplify it becomes the invoice as the API describes it', async () => {
	const entry = [{ key: 'order', value: 17 }];
	const options = { fileName: 'june.pdf', metadata: { entry } };
	const [{ json }] = await run({ ...create, simplify: false, options }, [binaryItem(PDF)]);
	assert.deepEqual(json, await call('GET', `/v1/invoices/${json.id}`));
	assert.equal(json.file.name, 'june.pdf');
	assert.deepEqual(json.metadata, { order: '17' });
});

test('without waiting it is queued, and can be got later', async () => {
	const [{ json }] = await run({ ...create, wait: false }, [binaryItem(PDF)]);
	assert.ok(['queued', 'processing'].includes(json.status));
	let invoice = json;
	while (invoice.status !== 'complete') [{ json: invoice }] = await run({ operation: 'get', invoiceId: json.id });
	assert.equal(invoice.amount, 1190.5);
});

test('a file at a URL is read too, and an expression chooses it for each item', async () => {
	const items = ['/a.pdf', '/abcd.pdf'].map((path) => ({ json: { url: `https://files.example.com${path}` } }));
	const found = await run({ operation: 'create', source: 'url', fileUrl: '={{ $json.url }}' }, items);
	assert.deepEqual(
		found.map(({ json }) => json.status),
		['complete', 'complete'],
	);
});

test('items are in the order of the input, however many there are', async () => {
	const names = Array.from({ length: 12 }, (_, index) => `${index}.pdf`);
	const found = await run(
		create,
		names.map((name) => binaryItem(PDF, name)),
	);
	assert.deepEqual(
		found.map(({ json }) => json.file),
		names,
	);
});

test('an execution that is repeated by "Retry On Fail" makes no second invoice', async () => {
	const items = [binaryItem(PDF), binaryItem(PDF)];
	const ids = async (executionId) => (await run(create, items, { executionId })).map(({ json }) => json.id);
	const first = await ids('17');
	assert.deepEqual(await ids('17'), first);
	assert.equal(new Set([...first, ...(await ids('18'))]).size, 4);
});

test('a key of the user makes one invoice in all executions', async () => {
	const parameters = { ...create, options: { idempotencyKey: '={{ "order-" + $json.order }}' } };
	const id = async () => (await run(parameters, [binaryItem(PDF, 'a.pdf', { order: 4 })]))[0].json.id;
	assert.equal(await id(), await id());
});

test('an error has the message, the status and the code of the service, and not the key', async () => {
	const error = await run(create, [binaryItem(TEXT, 'note.txt')]).catch((error) => error);
	assert.equal(error.constructor.name, 'NodeApiError');
	assert.match(error.message, /PDF/);
	assert.equal(error.httpCode, '415');
	assert.match(error.description, /^Code: unsupported_file_type\. Request: [\w-]+$/);
	assert.equal(error.context.itemIndex, 0);
	const shown = JSON.stringify(error) + error.stack + error.messages.join();
	assert.ok(!shown.includes(service.apiKey));
	assert.ok(!shown.includes(TEXT.toString('base64')));
});

test('with "Continue" the other items are done, and the error is an item', async () => {
	const items = [binaryItem(PDF), binaryItem(TEXT, 'note.txt'), binaryItem(PDF)];
	const found = await run(create, items, { node: { onError: 'continueRegularOutput' } });
	assert.deepEqual(
		found.map(({ json }) => json.status),
		['complete', undefined, 'complete'],
	);
	assert.match(found[1].json.error, /PDF/);
	assert.deepEqual(found[1].pairedItem, { item: 1 });
});

test('an item without the file is an error that names the field', async () => {
	const error = await run(create, [{ json: {} }]).catch((error) => error);
	assert.equal(error.constructor.name, 'NodeOperationError');
	assert.match(`${error.message} ${error.description}`, /data/);
});

test('a key that may only read sends nothing', async () => {
	const credentials = { url: service.url, apiKey: service.readKey };
	await assert.rejects(run(create, [binaryItem(PDF)], { credentials }), { httpCode: '403' });
});

test('a URL of the service with a slash at its end works', async () => {
	const credentials = { ...service, url: `${service.url}/` };
	const found = await run({ operation: 'getAll', limit: 1 }, undefined, { credentials });
	assert.equal(found.length, 1);
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { binaryItem, call, run } from './engine.mjs';

const PDF = await readFile(new URL('./invoice.pdf', import.meta.url));
const list = { operation: 'getAll' };
const ids = (items) => items.map(({ json }) => json.id);

before(async () => {
	await run(
		{ operation: 'create' },
		Array.from({ length: 110 }, (_, index) => binaryItem(PDF, `${index}.pdf`)),
	);
});

test('an invoice is found by its ID', async () => {
	const [{ json }] = await run({ ...list, limit: 1 });
	const found = await run({ operation: 'get', invoiceId: '={{ $json.id }}', simplify: false }, [{ json }]);
	assert.deepEqual(found[0].json, await call('GET', `/v1/invoices/${json.id}`));
	assert.deepEqual(found[0].pairedItem, { item: 0 });
});

test('an unknown ID is 404 with the message of the service', async () => {
	for (const invoiceId of ['0198c0de-0000-7000-8000-000000000000', '../me', 'a b']) {
		const error = await run({ operation: 'get', invoiceId }).catch((error) => error);
		assert.equal(error.httpCode, '404', invoiceId);
	}
});

test('Return All follows the pages, and Limit ends in the middle of one', async () => {
	const all = ids(await run({ ...list, returnAll: true }));
	assert.ok(all.length >= 110);
	assert.equal(new Set(all).size, all.length);
	for (const limit of [1, 50, 100, 105]) assert.deepEqual(ids(await run({ ...list, limit })), all.slice(0, limit));
});

test('each item of the input lists for itself', async () => {
	const items = [{ json: { status: 'complete' } }, { json: { status: 'failed' } }];
	const found = await run({ ...list, limit: 2, filters: { status: '={{ $json.status }}' } }, items);
	for (const { json, pairedItem } of found) assert.equal(json.status, items[pairedItem.item].json.status);
});

test('filters choose, dates and times in the time zone of the workflow, and empty ones are left out', async () => {
	const count = async (filters) => (await run({ ...list, returnAll: true, filters })).length;
	const all = await count({});
	assert.equal(await count({ vendor: '', currency: '' }), all);
	const read = await count({ vendor: 'acme' });
	assert.ok(read >= 110);
	assert.equal(await count({ vendor: 'acme', min_amount: 1190.5, max_amount: 1190.5 }), read);
	assert.equal(await count({ vendor: 'acme', issued_after: '2026-05-01T00:00:00', issued_before: '2026-05-03' }), read);
	assert.equal(await count({ vendor: 'acme', issued_after: '2026-05-02T23:00:00' }), 0);
	assert.equal(await count({ created_after: '2999-01-01T00:00:00' }), 0);
	assert.equal(await count({ created_before: '2999-01-01T00:00:00+02:00' }), all);
});

test('every filter is one of the API, with its values', async () => {
	const { paths } = await call('GET', '/v1/openapi.json');
	const parameters = paths['/v1/invoices'].get.parameters.map(({ name }) => name);
	const { loaded } = await import('./engine.mjs');
	const fields = loaded.getNode('invoiceExtraction').type.description.properties;
	const filters = fields.find(({ name }) => name === 'filters').options;
	assert.deepEqual(
		filters.filter(({ name }) => !parameters.includes(name)),
		[],
	);
	for (const { name, options } of filters.filter(({ options }) => options)) {
		for (const { value } of options) await run({ ...list, limit: 1, filters: { [name]: value } });
	}
});

test('a filter that the service refuses is an error with its message', async () => {
	await assert.rejects(run({ ...list, filters: { currency: 'EURO' } }), (error) => {
		assert.equal(error.httpCode, '400');
		assert.match(error.message, /currency/i);
		return true;
	});
});

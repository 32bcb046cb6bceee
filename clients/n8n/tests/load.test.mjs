import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loaded, resolve, service } from './engine.mjs';

test("n8n's loader takes the nodes and the credentials, with icons and categories", () => {
	const [node, trigger] = loaded.types.nodes;
	assert.equal(node.displayName, 'Invoice Extraction');
	assert.equal(trigger.displayName, 'Invoice Extraction Trigger');
	for (const { iconUrl, codex, credentials } of [node, trigger]) {
		assert.match(iconUrl.light, /invoices\.svg$/);
		assert.match(iconUrl.dark, /invoices\.dark\.svg$/);
		assert.deepEqual(codex.categories, ['Finance & Accounting']);
		assert.deepEqual(credentials, [{ name: 'invoiceExtractionApi', required: true }]);
	}
	assert.deepEqual(loaded.types.credentials[0].supportedNodes, ['invoiceExtraction', 'invoiceExtractionTrigger']);
});

test('the test of the credentials accepts keys of the service and no other', async () => {
	const { type } = loaded.getCredential('invoiceExtractionApi');
	const status = async (credentials) => {
		const url = resolve(type.test.request.baseURL, credentials) + type.test.request.url;
		const headers = { Authorization: resolve(type.authenticate.properties.headers.Authorization, credentials) };
		return (await fetch(url, { headers })).status;
	};
	assert.equal(await status(service), 200);
	assert.equal(await status({ ...service, apiKey: service.readKey }), 200);
	assert.equal(await status({ ...service, apiKey: 'inv_live_wrong' }), 401);
});

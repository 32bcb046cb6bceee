import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, service, signed, Trigger, TRIGGER_URL } from './engine.mjs';

const EVENT = JSON.stringify({
	id: 'evt_1',
	type: 'invoice.completed',
	data: { invoice: { id: 'i1', amount: 1190.5 } },
});
// The example of https://github.com/standard-webhooks/standard-webhooks.
const VECTOR_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const VECTOR_BODY = '{"test": 2432232314}';
const VECTOR = {
	'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
	'webhook-timestamp': '1614265330',
	'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

async function endpoints() {
	const { data } = await call('GET', '/v1/webhook_endpoints');
	return data.filter(({ url }) => url === TRIGGER_URL);
}

async function activated(events = ['invoice.completed', 'invoice.failed']) {
	const trigger = new Trigger(events);
	assert.equal(await trigger.manage('checkExists'), false);
	assert.equal(await trigger.manage('create'), true);
	return trigger;
}

test('an active workflow has an endpoint for its events, and an inactive one has none', async () => {
	const trigger = await activated(['invoice.updated', 'invoice.failed']);
	const [endpoint, ...others] = await endpoints();
	assert.deepEqual(
		[endpoint.types.toSorted(), endpoint.active, others],
		[['invoice.failed', 'invoice.updated'], true, []],
	);
	assert.equal(await trigger.manage('checkExists'), true);
	assert.equal(await trigger.manage('delete'), true);
	assert.deepEqual(await endpoints(), []);
	assert.deepEqual(trigger.kept, {});
	assert.equal(await trigger.manage('checkExists'), false);
});

test('a workflow that was changed or whose endpoint was paused registers anew', async () => {
	const trigger = await activated();
	trigger.node.parameters.events = ['invoice.deleted'];
	assert.equal(await trigger.manage('checkExists'), false);
	await trigger.manage('create');
	assert.deepEqual(
		(await endpoints()).map(({ types }) => types),
		[['invoice.deleted']],
	);
	await call('DELETE', `/v1/webhook_endpoints/${trigger.kept.endpointId}`);
	assert.equal(await trigger.manage('checkExists'), false);
	assert.equal(await trigger.manage('delete'), true);
});

test('an endpoint that lost its secret is registered again, and others stay', async () => {
	const count = (await call('GET', '/v1/webhook_endpoints')).data.length;
	await activated();
	const trigger = await activated();
	assert.equal((await endpoints()).length, 1);
	await trigger.manage('delete');
	assert.equal((await call('GET', '/v1/webhook_endpoints')).data.length, count);
});

test('an event with the signature of the secret starts the workflow', async () => {
	const trigger = await activated();
	const { items, status } = await trigger.receive(EVENT, signed(EVENT, trigger.kept.secret));
	assert.deepEqual([items, status], [[JSON.parse(EVENT)], 200]);
	await trigger.manage('delete');
});

test('while the secret is changed, one of two signatures is enough', async () => {
	const trigger = new Trigger(['invoice.completed']);
	trigger.kept.secret = VECTOR_SECRET;
	const headers = signed(EVENT, VECTOR_SECRET);
	headers['webhook-signature'] = `v1a,AAAA v1,AAAA ${headers['webhook-signature']}`;
	assert.equal((await trigger.receive(EVENT, headers)).status, 200);
});

test('the vector of the standard', async (t) => {
	t.mock.timers.enable({ apis: ['Date'], now: 1614265330_000 });
	const trigger = new Trigger(['invoice.completed']);
	trigger.kept.secret = VECTOR_SECRET;
	assert.equal((await trigger.receive(VECTOR_BODY, VECTOR)).status, 200);
	const refused = async (changes, body = VECTOR_BODY, seconds = 0) => {
		t.mock.timers.setTime(1614265330_000 + seconds * 1000);
		const { items, status } = await trigger.receive(body, { ...VECTOR, ...changes });
		assert.deepEqual([items, status], [undefined, 401]);
	};
	await refused({}, '{"test": 2432232315}');
	await refused({}, VECTOR_BODY, 301);
	await refused({}, VECTOR_BODY, -301);
	await refused({ 'webhook-id': 'msg_other' });
	await refused({ 'webhook-timestamp': '1614265331' });
	await refused({ 'webhook-timestamp': 'now' });
	await refused({ 'webhook-signature': undefined });
	await refused({ 'webhook-signature': 'v1,g0hM9SsE' });
	await refused({ 'webhook-signature': VECTOR['webhook-signature'].replace('v1,', 'v2,') });
	trigger.kept.secret = 'whsec_AAAA';
	await refused({});
});

test('a workflow without a secret refuses everything', async () => {
	const trigger = new Trigger(['invoice.completed']);
	assert.equal((await trigger.receive(EVENT, signed(EVENT, 'whsec_'))).status, 401);
});

test('a key that may only read is refused with the message of the service', async () => {
	const trigger = new Trigger(['invoice.completed'], { url: service.url, apiKey: service.readKey });
	await assert.rejects(trigger.manage('create'), { httpCode: '403' });
	assert.deepEqual(trigger.kept, {});
});

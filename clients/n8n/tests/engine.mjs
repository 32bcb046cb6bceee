/**
 * Runs workflows with the engine of n8n (n8n-core), the installed package and n8n's own nodes. Only what n8n's server
 * adds is stood in: the store of credentials and the request that came to a webhook.
 */
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createHmac, randomUUID } from 'node:crypto';

const require = createRequire(import.meta.url);
const { ExecutionLifecycleHooks, PackageDirectoryLoader, WorkflowExecute } = require('n8n-core');
// Not part of n8n-core's index: n8n's server imports them like this.
const contexts = require('n8n-core/dist/execution-engine/node-execution-context');
const { NodeHelpers, Workflow } = require('n8n-workflow');

const PACKAGE = 'n8n-nodes-invoice-extraction';
const CREDENTIALS = 'invoiceExtractionApi';
const BASE_NODES = [
	'ManualTrigger/ManualTrigger',
	'Files/ReadWriteFile/ReadWriteFile',
	'Files/ConvertToFile/ConvertToFile',
];
export const TRIGGER_URL = 'https://n8n.example.com/webhook/8f1d/webhook';
export const CREATE = `${PACKAGE}.invoiceExtraction`;
export const TRIGGER = `${PACKAGE}.invoiceExtractionTrigger`;

/** The package as n8n's server loads it. */
export const loaded = new PackageDirectoryLoader(dirname(require.resolve(`${PACKAGE}/package.json`)));
await loaded.loadAll();
const base = new PackageDirectoryLoader(dirname(require.resolve('n8n-nodes-base/package.json')));
for (const name of BASE_NODES) base.loadNodeFromFile(`dist/nodes/${name}.node.js`);

const nodeTypes = {
	getByNameAndVersion(type, version) {
		const [source, name] = type.split('.');
		return NodeHelpers.getVersionedNodeType((source === PACKAGE ? loaded : base).getNode(name).type, version);
	},
};

/** The service of `make clients`, and keys of its account. */
export const service = {
	url: process.env.INVOICES_URL,
	apiKey: process.env.INVOICES_API_KEY,
	readKey: process.env.INVOICES_READ_KEY,
};

/** Sends a request to the service as a user does, beside the nodes. */
export async function call(method, path) {
	const response = await fetch(service.url + path, { method, headers: { Authorization: `Bearer ${service.apiKey}` } });
	return response.status === 204 ? undefined : await response.json();
}

/** A document as n8n keeps it beside the JSON of an item. */
export function binaryItem(bytes, fileName = 'invoice.pdf', json = {}) {
	return {
		json,
		binary: { data: { data: Buffer.from(bytes).toString('base64'), mimeType: 'application/pdf', fileName } },
	};
}

function nodeOf(parameters, type = CREATE) {
	return {
		id: 'node-1',
		name: 'Invoices',
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: credentialsOf(),
	};
}

function credentialsOf() {
	return { [CREDENTIALS]: { id: '1', name: 'Invoices' } };
}

function workflowOf(nodes, connections = {}) {
	return new Workflow({
		...{ id: 'workflow-1', name: 'test', nodes, connections, active: false, nodeTypes, staticData: {} },
		settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
	});
}

/** What n8n's server knows: the credentials, and how they go into a request. */
function additionalDataOf(workflow, { credentials = service, executionId = randomUUID(), ...rest } = {}) {
	const resolved = (value) =>
		workflow.expression.getSimpleParameterValue(
			{ id: 'c', name: 'c', type: CREATE, typeVersion: 1, position: [0, 0], parameters: {} },
			value,
			'internal',
			{ $credentials: credentials },
		);
	const credentialsHelper = {
		getParentTypes: () => [],
		getDecrypted: async () => ({ ...credentials }),
		preAuthentication: async () => undefined,
		authenticate: async (_, type, request) => {
			const { headers } = loaded.getCredential(type).type.authenticate.properties;
			const added = Object.entries(headers).map(([name, value]) => [name, resolved(value)]);
			return { ...request, headers: { ...request.headers, ...Object.fromEntries(added) } };
		},
	};
	return {
		...{ credentialsHelper, executionId, resolved, variables: {}, currentNodeExecutionIndex: 0 },
		...{ hooks: new ExecutionLifecycleHooks('manual', executionId, workflow), setExecutionStatus() {} },
		...{
			webhookBaseUrl: 'https://n8n.example.com/webhook',
			webhookTestBaseUrl: 'https://n8n.example.com/webhook-test',
		},
		...{ restApiUrl: '', instanceBaseUrl: '', formWaitingBaseUrl: '', webhookWaitingBaseUrl: '' },
		...rest,
	};
}

/** A value of the credentials' test with its expressions resolved. */
export function resolve(value, credentials = service) {
	const workflow = workflowOf([nodeOf({})]);
	return additionalDataOf(workflow, { credentials }).resolved(value);
}

/** Runs the node with the items. Returns its items, or throws what it throws. */
export async function run(parameters, items = [{ json: {} }], { credentials, executionId, node = {} } = {}) {
	const chosen = { ...nodeOf(withDefaults(parameters)), ...node };
	const workflow = workflowOf([chosen]);
	const data = additionalDataOf(workflow, { credentials, executionId });
	const input = { main: [items.map((item, index) => ({ pairedItem: { item: index }, ...item }))] };
	const context = new contexts.ExecuteContext(
		...[workflow, chosen, data, 'manual', runDataOf(), 0, input.main[0], input],
		...[{ node: chosen, data: input, source: null }, []],
	);
	const [found] = await nodeTypes.getByNameAndVersion(CREATE, 1).execute.call(context);
	return found;
}

function runDataOf() {
	return { startData: {}, resultData: { runData: {} }, executionData: { nodeExecutionStack: [] } };
}

/** The parameters as the editor saves them. */
function withDefaults(parameters) {
	const { properties } = nodeTypes.getByNameAndVersion(CREATE, 1).description;
	const node = { typeVersion: 1 };
	return NodeHelpers.getNodeParameters(properties, { resource: 'invoice', ...parameters }, true, false, node, null);
}

/** Runs a workflow that was exported from n8n's editor. Returns its items by the name of the node. */
export async function runWorkflow({ nodes, connections }) {
	const chosen = nodes.map((node) => (node.type === CREATE ? { ...node, credentials: credentialsOf() } : node));
	const workflow = workflowOf(chosen, connections);
	const execution = await new WorkflowExecute(additionalDataOf(workflow), 'manual').run(workflow);
	const { error, runData } = execution.data.resultData;
	if (error) throw error;
	return Object.fromEntries(Object.entries(runData).map(([name, [{ data }]]) => [name, data.main[0]]));
}

/** A trigger of an active workflow. */
export class Trigger {
	constructor(events, credentials = service) {
		this.node = { ...nodeOf({ events }, TRIGGER), webhookId: '8f1d' };
		this.workflow = workflowOf([this.node]);
		this.credentials = credentials;
	}

	/** What the node keeps while the workflow is active. */
	get kept() {
		return this.workflow.getStaticData('node', this.node);
	}

	async manage(method) {
		const data = additionalDataOf(this.workflow, { credentials: this.credentials });
		const context = new contexts.HookContext(this.workflow, this.node, data, 'trigger', 'activate');
		return await nodeTypes.getByNameAndVersion(TRIGGER, 1).webhookMethods.default[method].call(context);
	}

	/** A request that came to the webhook. Returns the items that start the workflow, and the status for the sender. */
	async receive(body, headers) {
		const response = { status: (status) => ((response.code = status), response), json: () => response };
		const httpRequest = { headers, body: JSON.parse(body), rawBody: undefined };
		// As n8n's server: the body is kept when it is asked for.
		httpRequest.readRawBody = async () => (httpRequest.rawBody = Buffer.from(body));
		const data = additionalDataOf(this.workflow, { httpRequest, httpResponse: response });
		const context = new contexts.WebhookContext(this.workflow, this.node, data, 'webhook', {}, [], null);
		const { workflowData } = await nodeTypes.getByNameAndVersion(TRIGGER, 1).webhook.call(context);
		return { items: workflowData?.[0].map(({ json }) => json), status: response.code ?? 200 };
	}
}

/** The headers of a webhook, as the standard defines them. */
export function signed(body, secret, timestamp = Math.floor(Date.now() / 1000)) {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const digest = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64');
	return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${digest}` };
}

import type {
	IDataObject,
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { callService, CREDENTIALS } from './requests';
import { isSigned } from './signature';

const ENDPOINTS = '/v1/webhook_endpoints';

/** What the node keeps about its endpoint while the workflow is active. */
interface Kept {
	endpointId?: string;
	secret?: string;
}

export class InvoiceExtractionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Invoice Extraction Trigger',
		name: 'invoiceExtractionTrigger',
		icon: { light: 'file:../../icons/invoices.svg', dark: 'file:../../icons/invoices.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Start the workflow when an invoice was read or changed',
		defaults: { name: 'Invoice Extraction Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIALS, required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
		properties: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['invoice.completed'],
				options: [
					{ name: 'Invoice Completed', value: 'invoice.completed', description: 'A document was read' },
					{ name: 'Invoice Deleted', value: 'invoice.deleted' },
					{ name: 'Invoice Failed', value: 'invoice.failed', description: 'A document could not be read' },
					{
						name: 'Invoice Reviewed',
						value: 'invoice.reviewed',
						description: 'A person confirmed, rejected or corrected an invoice',
					},
					{
						name: 'Invoice Updated',
						value: 'invoice.updated',
						description: 'An invoice was paid, tagged, approved or reviewed',
					},
				],
			},
		],
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { endpointId, secret } = this.getWorkflowStaticData('node') as Kept;
				if (!endpointId || !secret) return false;
				const url = webhookUrl(this);
				const events = sorted(this.getNodeParameter('events') as string[]);
				return (await endpointsOf(this)).some(
					({ id, url: theirs, active, types }) =>
						id === endpointId && theirs === url && active === true && sorted(types as string[]) === events,
				);
			},

			async create(this: IHookFunctions): Promise<boolean> {
				const url = webhookUrl(this);
				// An endpoint whose secret was lost still has the URL, which can be registered once.
				await removeEndpoints(this, (endpoint) => endpoint.url === url);
				const endpoint = await callService(this, {
					method: 'POST',
					path: ENDPOINTS,
					body: { url, types: this.getNodeParameter('events') as string[], description: 'n8n' },
				});
				const kept: Kept = this.getWorkflowStaticData('node');
				kept.endpointId = endpoint.id as string;
				kept.secret = endpoint.secret as string;
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				const kept: Kept = this.getWorkflowStaticData('node');
				await removeEndpoints(this, (endpoint) => endpoint.id === kept.endpointId);
				delete kept.endpointId;
				delete kept.secret;
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const request = this.getRequestObject();
		const { secret } = this.getWorkflowStaticData('node') as Kept;
		if (!request.rawBody) await request.readRawBody();
		if (!secret || !isSigned(secret, this.getHeaderData(), request.rawBody)) {
			this.getResponseObject().status(401).json({ message: 'The signature is missing, wrong or too old' });
			return { noWebhookResponse: true };
		}
		return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
	}
}

/** The URL in the form in which the service keeps it. */
function webhookUrl(context: IHookFunctions): string {
	return new URL(context.getNodeWebhookUrl('default') as string).href;
}

function sorted(types: string[]): string {
	return [...types].sort().join();
}

async function endpointsOf(context: IHookFunctions): Promise<IDataObject[]> {
	const { data } = await callService(context, { method: 'GET', path: ENDPOINTS });
	return data as IDataObject[];
}

async function removeEndpoints(context: IHookFunctions, isMeant: (endpoint: IDataObject) => boolean): Promise<void> {
	for (const endpoint of (await endpointsOf(context)).filter(isMeant)) {
		await callService(context, { method: 'DELETE', path: `${ENDPOINTS}/${endpoint.id}` });
	}
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { create, get, getAll, simplified } from './invoices';
import { properties } from './properties';
import { CREDENTIALS } from './requests';

// Documents are read side by side; the service gives each account a few places.
const SIDE_BY_SIDE = 4;
const OPERATIONS = { create, get, getAll };

export class InvoiceExtraction implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Invoice Extraction',
		name: 'invoiceExtraction',
		icon: { light: 'file:../../icons/invoices.svg', dark: 'file:../../icons/invoices.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read invoices and get their values as data',
		defaults: { name: 'Invoice Extraction' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIALS, required: true }],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		const results: INodeExecutionData[][] = [];
		let next = 0;
		const work = async (): Promise<void> => {
			while (next < count) {
				const itemIndex = next++;
				try {
					results[itemIndex] = await itemsOf(this, itemIndex);
				} catch (error) {
					next = this.continueOnFail() ? next : count;
					results[itemIndex] = [failedItem(this, error as Error, itemIndex)];
				}
			}
		};
		await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
		return [results.flat()];
	}
}

async function itemsOf(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const operation = context.getNodeParameter('operation', itemIndex) as keyof typeof OPERATIONS;
	const simplify = context.getNodeParameter('simplify', itemIndex) as boolean;
	const invoices = await OPERATIONS[operation].call(context, itemIndex);
	return invoices.map((invoice) => ({
		json: simplify ? simplified(invoice) : invoice,
		pairedItem: { item: itemIndex },
	}));
}

/** The error as an item, if the workflow goes on after it. */
function failedItem(context: IExecuteFunctions, error: Error, itemIndex: number): INodeExecutionData {
	if (context.continueOnFail()) {
		const json: IDataObject = { error: error.message };
		return { json, pairedItem: { item: itemIndex } };
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) throw error;
	throw new NodeOperationError(context.getNode(), error, { itemIndex });
}

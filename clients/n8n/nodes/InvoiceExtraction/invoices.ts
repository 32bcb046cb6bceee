import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep, tryToParseDateTime } from 'n8n-workflow';
import { callService } from './requests';

const POLL_S = 3;
const PAGE_SIZE = 100;
const DATES = /^(due|issued)_(after|before)$/;
const DATE_TIMES = /^(created|updated)_(after|before)$/;
const VALUES = ['vendor_name', 'invoice_number', 'issued_at', 'due_at', 'amount', 'tax', 'currency'];
const LEVELS = ['vendor', 'invoice_number', 'amount', 'currency', 'issued_at', 'due_at', 'tax'];

/** Sends the document of an item. Returns its invoices: a file can have several. */
export async function create(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const options = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const wait = this.getNodeParameter('wait', itemIndex) as boolean;
	const deadline = Date.now() + ((options.timeout as number) ?? 300) * 1000;
	const sent = await callService(this, {
		method: 'POST',
		path: '/v1/invoices',
		qs: wait ? { wait: true } : {},
		body: { ...(await documentOf(this, itemIndex, options)), ...metadataOf(options) },
		idempotencyKey: (options.idempotencyKey as string) || idempotencyKey(this, itemIndex),
		itemIndex,
	});
	if (!wait) return [sent];
	const invoice = await finished(this, sent, deadline, itemIndex);
	return invoice.batch ? await invoicesOfFile(this, invoice.batch as IDataObject, deadline, itemIndex) : [invoice];
}

/** The invoice with the ID of an item. */
export async function get(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	return [await retrieve(this, this.getNodeParameter('invoiceId', itemIndex) as string, itemIndex)];
}

/** The invoices that meet the filters of an item. */
export async function getAll(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const all = this.getNodeParameter('returnAll', itemIndex) as boolean;
	const limit = all ? Infinity : (this.getNodeParameter('limit', itemIndex) as number);
	const filters = this.getNodeParameter('filters', itemIndex, {}) as IDataObject;
	return await list(this, queryOf(filters, this.getTimezone()), limit, itemIndex);
}

/** An invoice as a row of a table: values, how certain each is, and the failure. */
export function simplified(invoice: IDataObject): IDataObject {
	const levels = (invoice.field_confidence ?? {}) as IDataObject;
	const row: IDataObject = { id: invoice.id, file: (invoice.file as IDataObject).name, status: invoice.status };
	for (const name of VALUES) row[name] = invoice[name] ?? null;
	for (const name of LEVELS) row[`${name}_confidence`] = levels[name] ?? null;
	row.auto_verified = invoice.auto_verified;
	row.failure = (invoice.failure as IDataObject | null)?.message ?? null;
	return row;
}

async function documentOf(context: IExecuteFunctions, itemIndex: number, options: IDataObject): Promise<IDataObject> {
	const name = (options.fileName as string) || undefined;
	if (context.getNodeParameter('source', itemIndex) === 'url') {
		const url = context.getNodeParameter('fileUrl', itemIndex) as string;
		return { file_url: url, ...(name && { file_name: name }) };
	}
	const property = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const binary = context.helpers.assertBinaryData(itemIndex, property);
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, property);
	return { file_base64: bytes.toString('base64'), file_name: name ?? binary.fileName ?? 'document' };
}

function metadataOf(options: IDataObject): IDataObject {
	const entries = ((options.metadata as IDataObject)?.entry ?? []) as Array<{ key: string; value: string }>;
	if (entries.length === 0) return {};
	return { metadata: Object.fromEntries(entries.map(({ key, value }) => [key, String(value)])) };
}

/** The same for each repetition of a run, also by "Retry On Fail", so that no document is read twice. */
function idempotencyKey(context: IExecuteFunctions, itemIndex: number): string {
	const run = context.getWorkflowDataProxy(itemIndex).$runIndex as number;
	const place = [context.getInstanceId(), context.getExecutionId(), context.getNode().id, run, itemIndex];
	return `n8n-${createHash('sha256').update(JSON.stringify(place)).digest('hex')}`;
}

async function retrieve(context: IExecuteFunctions, id: string, itemIndex: number): Promise<IDataObject> {
	return await callService(context, { method: 'GET', path: `/v1/invoices/${encodeURIComponent(id)}`, itemIndex });
}

/** The invoice once it is complete or failed. */
async function finished(
	context: IExecuteFunctions,
	invoice: IDataObject,
	deadline: number,
	itemIndex: number,
): Promise<IDataObject> {
	while (invoice.status !== 'complete' && invoice.status !== 'failed') {
		if (Date.now() > deadline) {
			throw new NodeOperationError(context.getNode(), `Invoice ${invoice.id} is still ${invoice.status}`, {
				description: 'Get it later by its ID, or increase the timeout.',
				itemIndex,
			});
		}
		await sleep(POLL_S * 1000);
		invoice = await retrieve(context, invoice.id as string, itemIndex);
	}
	return invoice;
}

/** All invoices of a file, in order, once they are finished. */
async function invoicesOfFile(
	context: IExecuteFunctions,
	batch: IDataObject,
	deadline: number,
	itemIndex: number,
): Promise<IDataObject[]> {
	const found = await list(context, { batch: batch.id }, Infinity, itemIndex);
	found.sort((one, other) => indexOf(one) - indexOf(other));
	const invoices = [];
	for (const invoice of found) invoices.push(await finished(context, invoice, deadline, itemIndex));
	return invoices;
}

function indexOf(invoice: IDataObject): number {
	return (invoice.batch as { index: number }).index;
}

async function list(
	context: IExecuteFunctions,
	query: IDataObject,
	limit: number,
	itemIndex: number,
): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	let more = limit > 0;
	while (more && found.length < limit) {
		const qs: IDataObject = { ...query, limit: Math.min(PAGE_SIZE, limit - found.length) };
		if (found.length > 0) qs.starting_after = found[found.length - 1].id;
		const page = await callService(context, { method: 'GET', path: '/v1/invoices', qs, itemIndex });
		found.push(...(page.data as IDataObject[]));
		more = page.has_more as boolean;
	}
	return found;
}

/** Filters as parameters of the API. A time without an offset is one of the workflow's time zone. */
function queryOf(filters: IDataObject, timezone: string): IDataObject {
	const query: IDataObject = {};
	for (const [name, value] of Object.entries(filters)) {
		if (value === '' || value === null || value === undefined) continue;
		if (DATES.test(name)) query[name] = tryToParseDateTime(value, timezone).toISODate();
		else if (DATE_TIMES.test(name)) query[name] = tryToParseDateTime(value, timezone).toUTC().toISO();
		else query[name] = value;
	}
	return query;
}

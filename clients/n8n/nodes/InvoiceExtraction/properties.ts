import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

function showFor(...operation: string[]): { show: { resource: string[]; operation: string[] } } {
	return { show: { resource: ['invoice'], operation } };
}

function choices(values: string[]): INodePropertyOptions[] {
	return values.map((value) => {
		const name = value.replace(/_/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
		return { name, value };
	});
}

const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [{ name: 'Invoice', value: 'invoice' }],
	default: 'invoice',
};

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['invoice'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create an invoice',
			description: 'Send a document and get its values',
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get an invoice',
			description: 'Get an invoice by its ID',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many invoices',
			description: 'List invoices, newest first',
		},
	],
	default: 'create',
};

const createFields: INodeProperties[] = [
	{
		displayName: 'Document From',
		name: 'source',
		type: 'options',
		displayOptions: showFor('create'),
		options: [
			{ name: 'Input Item', value: 'binary', description: 'A file of the input item' },
			{ name: 'URL', value: 'url', description: 'A public address that the service fetches' },
		],
		default: 'binary',
	},
	{
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		displayOptions: { show: { ...showFor('create').show, source: ['binary'] } },
		default: 'data',
		required: true,
		hint: 'The name of the input field that has the file',
		description: 'PDF, JPEG, PNG, HEIC or HTML, at most 15 MB',
	},
	{
		displayName: 'File URL',
		name: 'fileUrl',
		type: 'string',
		displayOptions: { show: { ...showFor('create').show, source: ['url'] } },
		default: '',
		required: true,
		placeholder: 'e.g. https://files.example.com/invoice.pdf',
		description: 'A public https address of the document',
	},
	{
		displayName: 'Wait for Result',
		name: 'wait',
		type: 'boolean',
		displayOptions: showFor('create'),
		default: true,
		description:
			'Whether to wait until the document is read. A file with several invoices then gives an item for each of them.',
	},
];

const getFields: INodeProperties[] = [
	{
		displayName: 'Invoice ID',
		name: 'invoiceId',
		type: 'string',
		displayOptions: showFor('get'),
		default: '',
		required: true,
	},
];

const getAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		displayOptions: showFor('getAll'),
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		displayOptions: { show: { ...showFor('getAll').show, returnAll: [false] } },
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		displayOptions: showFor('getAll'),
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Approval Status',
				name: 'approval_status',
				type: 'options',
				options: choices(['approved', 'rejected', 'requested']),
				default: 'requested',
			},
			{
				displayName: 'Batch ID',
				name: 'batch',
				type: 'string',
				default: '',
				description: 'The ID that all invoices of a file have in common',
			},
			{ displayName: 'Created After', name: 'created_after', type: 'dateTime', default: '' },
			{ displayName: 'Created Before', name: 'created_before', type: 'dateTime', default: '' },
			{
				displayName: 'Currency',
				name: 'currency',
				type: 'string',
				default: '',
				placeholder: 'e.g. EUR',
			},
			{ displayName: 'Due After', name: 'due_after', type: 'dateTime', default: '' },
			{ displayName: 'Due Before', name: 'due_before', type: 'dateTime', default: '' },
			{
				displayName: 'Duplicate',
				name: 'duplicate',
				type: 'boolean',
				default: false,
				description: 'Whether the invoice repeats an older one',
			},
			{ displayName: 'Entity Tag', name: 'entity_tag', type: 'string', default: '' },
			{
				displayName: 'Has Alerts',
				name: 'has_alerts',
				type: 'boolean',
				default: false,
				description: 'Whether an alert is among the checks of the invoice',
			},
			{ displayName: 'Invoice Number', name: 'invoice_number', type: 'string', default: '' },
			{ displayName: 'Issued After', name: 'issued_after', type: 'dateTime', default: '' },
			{ displayName: 'Issued Before', name: 'issued_before', type: 'dateTime', default: '' },
			{ displayName: 'Maximum Amount', name: 'max_amount', type: 'number', default: 0 },
			{ displayName: 'Minimum Amount', name: 'min_amount', type: 'number', default: 0 },
			{
				displayName: 'Overdue',
				name: 'overdue',
				type: 'boolean',
				default: false,
				description: 'Whether the invoice is complete, unpaid and past due',
			},
			{
				displayName: 'Paid',
				name: 'paid',
				type: 'boolean',
				default: false,
				description: 'Whether the invoice is paid',
			},
			{
				displayName: 'Review',
				name: 'review',
				type: 'options',
				options: choices(['confirmed', 'not_rejected', 'open', 'rejected']),
				default: 'confirmed',
			},
			{
				displayName: 'Source',
				name: 'source',
				type: 'options',
				options: [
					{ name: 'API', value: 'api' },
					{ name: 'App', value: 'app' },
					{ name: 'E-Mail', value: 'email' },
				],
				default: 'api',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: choices(['complete', 'failed', 'processing', 'queued']),
				default: 'complete',
			},
			{ displayName: 'Updated After', name: 'updated_after', type: 'dateTime', default: '' },
			{
				displayName: 'Vendor',
				name: 'vendor',
				type: 'string',
				default: '',
				description: 'A part of the name of the vendor',
			},
			{ displayName: 'Vendor ID', name: 'vendor_id', type: 'string', default: '' },
		],
	},
];

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	displayOptions: showFor('create', 'get', 'getAll'),
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const createOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	displayOptions: showFor('create'),
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			description: 'The name of the document; default: the name of the file',
		},
		{
			displayName: 'Idempotency Key',
			name: 'idempotencyKey',
			type: 'string',
			default: '',
			description:
				'A text of your own for the document, at most 255 characters. Within 24 hours, the same text gives the same invoice, also in other executions.',
		},
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Entry',
			default: {},
			description: 'Your own data about the invoice, which comes back with it',
			options: [
				{
					displayName: 'Entry',
					name: 'entry',
					values: [
						{ displayName: 'Key', name: 'key', type: 'string', default: '' },
						{ displayName: 'Value', name: 'value', type: 'string', default: '' },
					],
				},
			],
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 300,
			description: 'Seconds to wait for the result',
		},
	],
};

export const properties: INodeProperties[] = [
	resource,
	operation,
	...createFields,
	...getFields,
	...getAllFields,
	simplify,
	createOptions,
];

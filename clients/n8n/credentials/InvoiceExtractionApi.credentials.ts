import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

export class InvoiceExtractionApi implements ICredentialType {
	name = 'invoiceExtractionApi';

	displayName = 'Invoice Extraction API';

	icon: Icon = { light: 'file:../icons/invoices.svg', dark: 'file:../icons/invoices.dark.svg' };

	documentationUrl = 'https://example.com/n8n-nodes-invoice-extraction#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://invoices.example.com',
			description: 'The address of the service, without /v1',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'A key with read scope can get and list invoices. All other operations need full scope.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.url}}', url: '/v1/me' },
	};
}

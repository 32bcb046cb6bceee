import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';

export const CREDENTIALS = 'invoiceExtractionApi';

const MOST_ATTEMPTS = 6;
const LONGEST_PAUSE_S = 8;
// A longer `Retry-After` is the next day's limit, or a queue that is full.
const LONGEST_RETRY_AFTER_S = 120;
// The service holds a call with `wait=true` for 60 seconds.
const TIMEOUT_MS = 90_000;

export type Caller = IExecuteFunctions | IHookFunctions;

export interface Call {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** With it, the service does a POST once, however often it is sent. */
	idempotencyKey?: string;
	itemIndex?: number;
}

/** A response with an error status, or a call without a response. */
interface Failure {
	message: string;
	status?: number;
	code?: string;
	type?: string;
	requestId?: string;
	retryAfter?: number;
}

/** Calls the service and returns the body of its answer. Repeats the call after a temporary failure if that does no harm. */
export async function callService(caller: Caller, call: Call): Promise<IDataObject> {
	const { url } = await caller.getCredentials<{ url: string }>(CREDENTIALS, call.itemIndex);
	const repeatable = call.method !== 'POST' || call.idempotencyKey !== undefined;
	for (let attempt = 1; ; attempt++) {
		const { body, failure } = await send(caller, requestOf(call, url));
		if (!failure) return body;
		const pause = attempt < MOST_ATTEMPTS ? pauseAfter(failure, attempt, repeatable) : undefined;
		if (pause === undefined) throw errorOf(caller, failure, call.itemIndex);
		await sleep(pause * 1000);
	}
}

function requestOf(call: Call, baseURL: string): IHttpRequestOptions {
	return {
		method: call.method,
		baseURL,
		url: call.path,
		qs: call.qs,
		body: call.body,
		headers: call.idempotencyKey ? { 'Idempotency-Key': call.idempotencyKey } : {},
		json: true,
		timeout: TIMEOUT_MS,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// The key goes to the service only.
		disableFollowRedirect: true,
	};
}

async function send(caller: Caller, request: IHttpRequestOptions): Promise<{ body: IDataObject; failure?: Failure }> {
	let response: IN8nHttpFullResponse;
	try {
		response = await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIALS, request);
	} catch (error) {
		return { body: {}, failure: connectionFailure(error) };
	}
	const body = (response.body ?? {}) as unknown as IDataObject;
	return response.statusCode < 300 ? { body } : { body, failure: failureOf(response, body) };
}

/** Only the text of the error: its other properties have the request with its key. */
function connectionFailure(error: unknown): Failure {
	const { message, code, httpCode } = error as { message?: string; code?: string; httpCode?: string };
	return {
		message: `The service did not answer: ${message ?? 'unknown error'}`,
		code: code ?? httpCode ?? 'ECONNRESET',
	};
}

function failureOf({ statusCode, headers }: IN8nHttpFullResponse, body: IDataObject): Failure {
	const detail = (body.error ?? {}) as { message?: string; code?: string; type?: string };
	const seconds = Number(headers['retry-after'] ?? NaN);
	const redirected = statusCode < 400 ? 'The service redirects: correct the URL in the credentials' : undefined;
	return {
		status: statusCode,
		message: detail.message ?? redirected ?? `The service answered with status ${statusCode}`,
		code: detail.code,
		type: detail.type,
		requestId: headers['x-request-id'] as string | undefined,
		retryAfter: Number.isFinite(seconds) ? seconds : undefined,
	};
}

/** Seconds until the call is repeated; undefined if it is not. */
function pauseAfter(failure: Failure, attempt: number, repeatable: boolean): number | undefined {
	if (!isTemporary(failure) || !(repeatable || wasNotDone(failure))) return undefined;
	if (failure.retryAfter !== undefined) {
		return failure.retryAfter <= LONGEST_RETRY_AFTER_S ? failure.retryAfter : undefined;
	}
	return Math.min(2 ** (attempt - 1) / 2, LONGEST_PAUSE_S);
}

function isTemporary({ status, code, type }: Failure): boolean {
	if (status === undefined || status === 408 || status >= 500) return true;
	return code === 'idempotency_in_flight' || (status === 429 && type !== 'quota_exceeded');
}

function wasNotDone({ status, code }: Failure): boolean {
	return status === 408 || status === 429 || code === 'ECONNREFUSED';
}

function errorOf(caller: Caller, failure: Failure, itemIndex?: number): NodeApiError {
	const details = [failure.code && `Code: ${failure.code}`, failure.requestId && `Request: ${failure.requestId}`];
	return new NodeApiError(caller.getNode(), { message: failure.message } as JsonObject, {
		message: failure.message,
		description: details.filter(Boolean).join('. ') || undefined,
		httpCode: failure.status?.toString(),
		itemIndex,
	});
}

/** Calls about everything but invoices. */

import * as calls from "./calls.js";
import type {
  AmendEndpointBody,
  AmendOrderBody,
  CustomValueBody,
  DeletedEvent,
  Event,
  Export,
  Invoice,
  ListEventsQuery,
  ListExportsQuery,
  ListMailsQuery,
  ListPurchaseOrdersQuery,
  ListVendorsQuery,
  Mail,
  NewEndpointBody,
  NewExportBody,
  NewOrderBody,
  OrderRulesBody,
  OwnField,
  OwnFieldBody,
  OwnFieldList,
  PurchaseOrder,
  PurchaseOrderRules,
  ReceiveBody,
  Vendor,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "./models.js";
import type { CallOptions } from "./options.js";
import { Pages } from "./pages.js";
import type { Parts, Transport } from "./transport.js";

/** `client.vendors`. */
export class Vendors {
  constructor(private readonly transport: Transport) {}

  /** Vendors, highest spend first. */
  list(filters: ListVendorsQuery = {}, options: CallOptions = {}): Pages<Vendor> {
    return new Pages(this.transport, calls.listVendors, filters, options);
  }
}

/** `client.events`. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /** Events, newest first. */
  list(filters: ListEventsQuery = {}, options: CallOptions = {}): Pages<Event | DeletedEvent> {
    return new Pages(this.transport, calls.listEvents, filters, options);
  }

  /** One event. */
  async retrieve(id: string, options?: CallOptions): Promise<Event | DeletedEvent> {
    return this.transport.call(calls.getEvent, [id], {}, options);
  }
}

/** Whether only the id is left of an event's invoice. */
export function isDeletedEvent(event: Event | DeletedEvent): event is DeletedEvent {
  return "deleted" in event.data.invoice;
}

/** `client.webhookEndpoints`. */
export class WebhookEndpoints {
  constructor(private readonly transport: Transport) {}

  /** Register a URL for events. No later answer contains the secret. */
  async create(properties: NewEndpointBody, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.transport.call(calls.createWebhookEndpoint, [], { json: properties }, options);
  }

  /** One endpoint. */
  async retrieve(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.call(calls.getWebhookEndpoint, [id], {}, options);
  }

  /** All endpoints, oldest first. */
  list(options: CallOptions = {}): Pages<WebhookEndpoint> {
    return new Pages(this.transport, calls.listWebhookEndpoints, {}, options);
  }

  /** Change an endpoint, or pause and resume it with `active`. */
  async update(id: string, changes: AmendEndpointBody, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.call(calls.amendWebhookEndpoint, [id], { json: changes }, options);
  }

  /** Delete an endpoint with its deliveries. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.call(calls.deleteWebhookEndpoint, [id], {}, options);
  }

  /** A new secret; the one before signs as well for 24 hours. */
  async rotateSecret(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.transport.call(calls.rotateWebhookSecret, [id], {}, options);
  }
}

/** `client.exports`. */
export class Exports {
  constructor(private readonly transport: Transport) {}

  /** Write the invoices that are ready and in no export yet into a file for another program. */
  async create(properties: NewExportBody, options?: CallOptions): Promise<Export> {
    return this.transport.call(calls.createExport, [], { json: properties }, options);
  }

  /** Exports, newest first. */
  list(filters: ListExportsQuery = {}, options: CallOptions = {}): Pages<Export> {
    return new Pages(this.transport, calls.listExports, filters, options);
  }

  /** One export with its receipt. */
  async retrieve(id: string, options?: CallOptions): Promise<Export> {
    return this.transport.call(calls.getExport, [id], {}, options);
  }

  /** The file of an export. */
  async file(id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.transport.call(calls.getExportFile, [id], {}, options);
  }
}

/** `client.mails`. */
export class Mails {
  constructor(private readonly transport: Transport) {}

  /** Mails to the account's addresses, newest first. */
  list(filters: ListMailsQuery = {}, options: CallOptions = {}): Pages<Mail> {
    return new Pages(this.transport, calls.listMails, filters, options);
  }

  /** One mail with the outcome of each part. */
  async retrieve(id: string, options?: CallOptions): Promise<Mail> {
    return this.transport.call(calls.getMail, [id], {}, options);
  }
}

/** `client.fields`. */
export class OwnFields {
  constructor(private readonly transport: Transport) {}

  /** The account's own fields, by name: all of them. */
  async list(options?: CallOptions): Promise<OwnFieldList> {
    return this.transport.call(calls.listFields, [], {}, options);
  }

  /** Add an own field, or replace the one of this name. */
  async put(name: string, properties: OwnFieldBody, options?: CallOptions): Promise<OwnField> {
    return this.transport.call(calls.putField, [name], { json: properties }, options);
  }

  /** Enter or point at a value of an own field of an invoice. */
  async point(
    invoice: string,
    name: string,
    value: CustomValueBody,
    options?: CallOptions,
  ): Promise<Invoice> {
    return this.transport.call(calls.pointAtValue, [invoice, name], { json: value }, options);
  }

  /** Delete an own field. Invoices keep its values. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    return this.transport.call(calls.deleteField, [name], {}, options);
  }
}

/** `client.purchaseOrders`. */
export class PurchaseOrders {
  constructor(private readonly transport: Transport) {}

  /** Keep an order. All retries have one idempotency key, so that they keep one. */
  async create(properties: NewOrderBody, options?: KeyedOptions): Promise<PurchaseOrder> {
    return this.transport.call(calls.createPurchaseOrder, [], ...keyed(properties, options));
  }

  /** Orders, newest first. */
  list(filters: ListPurchaseOrdersQuery = {}, options: CallOptions = {}): Pages<PurchaseOrder> {
    return new Pages(this.transport, calls.listPurchaseOrders, filters, options);
  }

  /** One order with what is open of it. */
  async retrieve(id: string, options?: CallOptions): Promise<PurchaseOrder> {
    return this.transport.call(calls.getPurchaseOrder, [id], {}, options);
  }

  /** Change an order; `lines` replaces all of them. */
  async update(id: string, changes: AmendOrderBody, options?: CallOptions): Promise<PurchaseOrder> {
    return this.transport.call(calls.amendPurchaseOrder, [id], { json: changes }, options);
  }

  /** Add what has arrived. All retries have one idempotency key, so that it is added once. */
  async receive(
    id: string,
    arrived: ReceiveBody,
    options?: KeyedOptions,
  ): Promise<PurchaseOrder> {
    return this.transport.call(calls.receivePurchaseOrder, [id], ...keyed(arrived, options));
  }

  /** Delete an order. Invoices keep what was found when they were compared with it. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.call(calls.deletePurchaseOrder, [id], {}, options);
  }

  /** How far invoices may differ from their orders. */
  async rules(options?: CallOptions): Promise<PurchaseOrderRules> {
    return this.transport.call(calls.getOrderRules, [], {}, options);
  }

  /** Replace the tolerances. What is omitted has its default. */
  async setRules(rules: OrderRulesBody, options?: CallOptions): Promise<PurchaseOrderRules> {
    return this.transport.call(calls.setOrderRules, [], { json: rules }, options);
  }
}

/** Options of a call that is made at most once. */
export interface KeyedOptions extends CallOptions {
  /** By default a new one for each call, which all its retries have. */
  idempotencyKey?: string | undefined;
}

function keyed(json: object, options: KeyedOptions = {}): [Parts, CallOptions] {
  const { idempotencyKey = crypto.randomUUID(), ...others } = options;
  return [{ json, headers: { "Idempotency-Key": idempotencyKey } }, others];
}

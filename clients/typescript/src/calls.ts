// The operations of the service. Written by `python -m scripts.clients` from the OpenAPI document.

import { bytes, call, json, none } from "./call.js";
import type {
  AcceptedInvoice,
  ApprovalRequested,
  Chart,
  DeletedEvent,
  Event,
  EventList,
  Export,
  ExportList,
  FileLink,
  Invoice,
  InvoiceList,
  Mail,
  MailList,
  Me,
  OwnField,
  OwnFieldList,
  PageAnswer,
  PurchaseOrder,
  PurchaseOrderList,
  PurchaseOrderRules,
  QualityAnswer,
  ReviewAnswer,
  VendorList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from "./models.js";

/** Accept a document. The status is 200 if the extraction finished during `wait`, else 202. */
export const createInvoice = call("POST", "/v1/invoices", json<AcceptedInvoice>);
/** List the account's invoices, newest first or in the order of their changes. */
export const listInvoices = call("GET", "/v1/invoices", json<InvoiceList>);
/** One invoice of the caller's account. */
export const getInvoice = call("GET", "/v1/invoices/{id}", json<Invoice>);
/** Mark a complete invoice as paid or unpaid, or tag any invoice. */
export const amendInvoice = call("PATCH", "/v1/invoices/{id}", json<Invoice>);
/**
 * Delete an invoice permanently, with its events, deliveries and document. A document is kept while other
 * invoices share it. The quota is not refunded.
 */
export const deleteInvoice = call("DELETE", "/v1/invoices/{id}", none);
/**
 * Read the stored document again; counts towards the quota. An invoice that is queued or processing stays
 * as it is.
 */
export const extractAgain = call("POST", "/v1/invoices/{id}/extract", json<Invoice>);
/** A link to the document, valid for an hour. */
export const getFileLink = call("GET", "/v1/invoices/{id}/file", json<FileLink>);
/**
 * The electronic invoice of the file as it was received: the file itself if it is XML, or the XML in a PDF.
 * Its signatures are not verified. With `format`, one is written of the invoice, whatever its file is.
 */
export const getEinvoice = call("GET", "/v1/invoices/{id}/einvoice", bytes);
/** The document of a download link, or a range of its bytes. The link needs no API key. */
export const downloadFile = call("GET", "/v1/files/{token}", bytes);
/** The extracted values, the corrections and the evidence for a review. */
export const getReview = call("GET", "/v1/invoices/{id}/review", json<ReviewAnswer>);
/** Correct fields of a complete invoice, confirm it, or reject it. Omitted values stay. */
export const changeReview = call("PUT", "/v1/invoices/{id}/review", json<ReviewAnswer>);
/** A page of the invoice: its words and the URL of its picture. */
export const getPage = call("GET", "/v1/invoices/{id}/pages/{n}", json<PageAnswer>);
/** A page of the invoice as a JPEG. */
export const getPicture = call("GET", "/v1/invoices/{id}/pages/{n}/picture", bytes);
/** The account's chart: the codes that its invoices are booked on, and its rules. */
export const getChart = call("GET", "/v1/chart", json<Chart>);
/** Replace the chart. Codes and rules that are omitted are removed; confirmed postings keep their codes. */
export const replaceChart = call("PUT", "/v1/chart", json<Chart>);
/** Confirm or correct what a complete invoice is booked on, as a whole. */
export const changeCoding = call("PUT", "/v1/invoices/{id}/coding", json<Invoice>);
/** The accuracy of the confidence levels on the account's reviewed invoices. */
export const getQuality = call("GET", "/v1/quality", json<QualityAnswer>);
/** Ask a person by e-mail to approve or reject a complete invoice. An earlier request becomes invalid. */
export const requestApproval = call("POST", "/v1/invoices/{id}/approval", json<ApprovalRequested>);
/** The account's vendors, highest spend first. */
export const listVendors = call("GET", "/v1/vendors", json<VendorList>);
/** Keep an order. Invoices that named it before are compared with it. */
export const createPurchaseOrder = call("POST", "/v1/purchase-orders", json<PurchaseOrder>);
/** The account's orders, newest first. */
export const listPurchaseOrders = call("GET", "/v1/purchase-orders", json<PurchaseOrderList>);
/** How far invoices may differ from their orders. */
export const getOrderRules = call("GET", "/v1/order-rules", json<PurchaseOrderRules>);
/** Replace the tolerances. They apply to invoices that are compared from now on. */
export const setOrderRules = call("PUT", "/v1/order-rules", json<PurchaseOrderRules>);
/** One order, with what is billed and what is open. */
export const getPurchaseOrder = call("GET", "/v1/purchase-orders/{id}", json<PurchaseOrder>);
/** Change an order. Invoices that bill it and that nobody has decided on are compared again. */
export const amendPurchaseOrder = call("PATCH", "/v1/purchase-orders/{id}", json<PurchaseOrder>);
/** Delete an order. Invoices keep what was found when they were compared with it. */
export const deletePurchaseOrder = call("DELETE", "/v1/purchase-orders/{id}", none);
/** Add goods that have arrived. From then on, the lines are matched three ways. */
export const receivePurchaseOrder = call("POST", "/v1/purchase-orders/{id}/receive", json<PurchaseOrder>);
/** The account's own fields, by name: all of them. */
export const listFields = call("GET", "/v1/fields", json<OwnFieldList>);
/** Add an own field, or replace the one of this name. Invoices that are read from now on have it. */
export const putField = call("PUT", "/v1/fields/{name}", json<OwnField>);
/** Delete an own field. Invoices keep its values. */
export const deleteField = call("DELETE", "/v1/fields/{name}", none);
/** Enter or point at a value of an own field of a complete invoice. The next invoices are searched with it. */
export const pointAtValue = call("PUT", "/v1/invoices/{id}/custom/{name}", json<Invoice>);
/**
 * List the account's events, newest first, as webhooks receive them. Events of deletions are kept for 30
 * days.
 */
export const listEvents = call("GET", "/v1/events", json<EventList>);
/** One event of the caller's account, as it was sent to its webhooks. */
export const getEvent = call("GET", "/v1/events/{id}", json<Event | DeletedEvent>);
/** Register a URL that receives the account's events from now on. */
export const createWebhookEndpoint = call("POST", "/v1/webhook_endpoints", json<WebhookEndpointWithSecret>);
/** The account's webhook endpoints, oldest first, without their secrets. */
export const listWebhookEndpoints = call("GET", "/v1/webhook_endpoints", json<WebhookEndpointList>);
/** One webhook endpoint, without its secret. */
export const getWebhookEndpoint = call("GET", "/v1/webhook_endpoints/{id}", json<WebhookEndpoint>);
/**
 * Change URL, description or types, pause or resume. The change applies to all deliveries that were not
 * sent yet.
 */
export const amendWebhookEndpoint = call("PATCH", "/v1/webhook_endpoints/{id}", json<WebhookEndpoint>);
/** Delete a webhook endpoint permanently, with its deliveries. */
export const deleteWebhookEndpoint = call("DELETE", "/v1/webhook_endpoints/{id}", none);
/** Create a new secret. The old one also signs for another 24 hours. At most three secrets sign at a time. */
export const rotateWebhookSecret = call("POST", "/v1/webhook_endpoints/{id}/rotate_secret", json<WebhookEndpointWithSecret>);
/** The account's mails, newest first. */
export const listMails = call("GET", "/v1/mails", json<MailList>);
/** A mail with its parts. */
export const getMail = call("GET", "/v1/mails/{id}", json<Mail>);
/** Write the invoices that are ready and in no export yet into a file for another program. */
export const createExport = call("POST", "/v1/exports", json<Export>);
/** The account's exports, newest first. */
export const listExports = call("GET", "/v1/exports", json<ExportList>);
/** An export with its receipt. */
export const getExport = call("GET", "/v1/exports/{id}", json<Export>);
/** The file of an export, the same each time. */
export const getExportFile = call("GET", "/v1/exports/{id}/file", bytes);
/**
 * Let the values of an exported invoice be changed. The next export contains it again: cancel the booking
 * in the other program.
 */
export const unlockInvoice = call("POST", "/v1/invoices/{id}/unlock", json<Invoice>);
/** The key in use and the account's quota. */
export const describeMe = call("GET", "/v1/me", json<Me>);

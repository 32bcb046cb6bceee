// Answers of the service, and parameters of its calls. Written by `python -m scripts.clients` from the OpenAPI document.

import type { Decimal, IsoDate, IsoDateTime, Open } from "./base.js";

/** Numbers that are read as texts, because they are exact. */
export const DECIMALS: ReadonlySet<string> = new Set([
  "amount", "amount_due", "amount_paid", "base", "billed_quantity", "discount", "max_amount", "min_amount",
  "open_quantity", "price_percent", "quantity", "quantity_percent", "rate", "received_quantity",
  "shipping", "spent", "subtotal", "tax", "tax_rate", "total", "total_billed", "unit_price",
]);

/** The accepted invoice. */
export interface AcceptedInvoice extends Invoice {
  /** Only with `wait=true`, if extraction took longer than the wait window. */
  wait_timed_out?: boolean;
}

/** The request has been sent. */
export interface ApprovalRequested {
  /** The id. */
  id: string;
  /** The state of the approval request; null if nobody was asked. */
  approval_status: "requested";
  /** The address that was asked for approval. */
  approval_email: string;
}

export type ApprovalStatus = Open<"requested" | "approved" | "rejected">;

/**
 * An invoice's place in the file that it came in with others. Indices and pages are 1-based; both pages
 * belong to it. `id` is the same for all invoices of the file.
 */
export interface Batch {
  /** The id. */
  id: string;
  /** Which of the invoices in the file it is, from 1. */
  index: number;
  /** How many invoices the file contains. */
  count: number;
  /** The first page of the file that belongs to it, from 1. */
  first_page: number;
  /** The last page of the file that belongs to it, from 1. */
  last_page: number;
}

/** What became of an invoice in the other program. */
export interface BookedInvoice {
  /** Its id. */
  invoice_id: string;
  /** The id of its bill in the program; null: it was not booked. */
  booked_as: string | null;
  /** Why it was not booked; null if it was. */
  reason: string | null;
}

/** The budget of the current calendar month (UTC). */
export interface BudgetInfo {
  /** The cost of what was read in this month, rounded down to two decimals. */
  spent: Decimal;
  /** What the readings of a month may cost. */
  amount: Decimal;
  /** The currency, by its code in ISO 4217. */
  currency: string;
}

/** The dimensions of an account and its rules. `revision` grows with every change; 0: there is no chart. */
export interface Chart {
  /** The type of the object. */
  object: "chart";
  /** The revision to send with a change. */
  revision: number;
  /** What codes answer: which account, cost centre, tax code, project, or an own question. */
  dimensions: Array<Dimension>;
  /** Codes for lines with certain words or vendors; the first that applies decides. */
  rules: Array<CodingRule>;
}

/** A value of a dimension, such as account `4930`. A code that is not `active` is no longer suggested. */
export interface ChartCode {
  /** The code itself. */
  code: string;
  /** What it is for. */
  name: string;
  /** Whether it is suggested and can be entered. */
  active: boolean;
}

/** What is unusual about an invoice: in its file, and beside the supplier's earlier ones. */
export type CheckKind = Open<"bank_account_changed" | "tax_number_changed" | "number_reused" | "near_duplicate" | "data_differs" | "file_changed" | "text_layer_differs" | "lookalike" | "supplier_blocked" | "supplier_list_differs" | "account_abroad" | "amount_unusual" | "date_unusual" | "number_unusual" | "order_differs" | "tax_number_unregistered" | "tax_rate_unknown" | "tax_unusual" | "sender_changed">;

/** `alert`: do not pay before a person has looked. `notice`: worth a look. */
export type CheckSeverity = Open<"alert" | "notice">;

/**
 * Where a value is printed: `page` is 1-based, `box` is x0, y0, x1, y1 in fractions of the page, top left
 * first.
 */
export interface Citation {
  /** The page, from 1. */
  page: number;
  /** `x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner. */
  box: [number, number, number, number];
  /** The printed text, or the value that it means. */
  text: string;
}

/** Where a value is printed. */
export interface CitationBody {
  /** From 1. */
  page: number;
  /** `x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner. */
  box: [number, number, number, number];
  /** The text printed there. */
  text?: string | undefined;
}

/**
 * A machine-readable code on a page, such as a QR code, and whether it says the same as the pages.
 * `profile` names its standard in words, `text` is what it encodes, cut after 2,000 characters; `box` is
 * like that of a citation. Nothing that it links to was fetched, and no signature was checked.
 */
export interface Code {
  /** The standard that the code follows. */
  kind: CodeKind;
  /** The standard in words. */
  profile: string;
  /** The page, from 1. */
  page: number;
  /** `x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner. */
  box: [number, number, number, number];
  /** What the code encodes, cut after 2,000 characters. */
  text: string;
  /** What the code says of the invoice. */
  values: CodeValues;
  /** Whether it has the same values as the page. */
  matches_page: boolean;
  /** Values in which the code and the pages differ. */
  differences: Array<CodeDifference>;
}

/** A code of a dimension. */
export interface CodeBody {
  /** The code itself. */
  code: string;
  /** What it is for. */
  name?: string | undefined;
  /** Whether it is suggested and can be entered. */
  active?: boolean | undefined;
}

/**
 * A value of a code that the pages contradict; `page` is what they say instead, or null if that could not
 * be determined. Amounts are plain decimals, dates ISO 8601.
 */
export interface CodeDifference {
  /** The field. */
  field: EInvoiceField;
  /** The value in the code. */
  code: string;
  /** The value on the page; null if it could not be determined. */
  page: string | null;
}

/** The standard that a code follows. `OTHER`: none that is known here. */
export type CodeKind = Open<"swiss_qr_bill" | "epc" | "spayd" | "upi" | "hub3" | "upn" | "pl_transfer" | "sid" | "zatca" | "atcud" | "irn" | "tr_einvoice" | "ksef" | "verifactu" | "ticketbai" | "dian" | "nfe" | "afip" | "cfdi" | "sunat" | "mydata" | "rksv" | "kassensichv" | "suf" | "other">;

/**
 * What a code says of the invoice; null or empty if it does not. `amount` is what is to be paid, if the
 * code orders a payment. `tax_ids` are those of the parties, `reference` is the payment's or the tax
 * office's.
 */
export interface CodeValues {
  /** The issuer of the invoice; null if it was not found. */
  vendor_name: string | null;
  /** The number as it is printed; null if it was not found. */
  invoice_number: string | null;
  /** The total of the invoice, with tax; null if it was not found. */
  amount: Decimal | null;
  /** The tax; null if it was not found. */
  tax: Decimal | null;
  /** The ISO 4217 code; null if it was not found. */
  currency: string | null;
  /** The issue date; null if it was not found. */
  issued_at: IsoDate | null;
  /** The due date; null if it was not found. */
  due_at: IsoDate | null;
  /** The tax numbers of the parties. */
  tax_ids: Array<string>;
  /** The bank account to pay, without spaces. */
  iban: string | null;
  /** The reference of the payment, or the identifier of the tax office. */
  reference: string | null;
}

/**
 * What an invoice is booked on. `auto_coded`: every code was suggested with `high` confidence. `by` is the
 * address of the person, or the name of the API key, that confirmed it.
 */
export interface Coding {
  /** `confirmed`: a person or an API key has decided. */
  status: CodingStatus;
  /** Whether every code was suggested with `high` confidence. */
  auto_coded: boolean;
  /** The address of a person or the name of an API key; null: nobody has decided. */
  by: string | null;
  /** When. */
  at: IsoDateTime | null;
  /** What each line, or a share of it, is booked on. */
  postings: Array<Posting>;
}

/**
 * The codes for lines that contain these words, of vendors whose names contain these; null: of any. Capital
 * letters and accents do not count. The first rule that applies decides about a dimension.
 */
export interface CodingRule {
  /** A part of the vendor's name; null: any vendor. */
  vendor: string | null;
  /** Words in the line; null: any line. */
  contains: string | null;
  /** By the key of the dimension. */
  codes: Record<string, string>;
}

/** `suggested`: nobody has decided. `confirmed`: a person or an API key has entered or confirmed the codes. */
export type CodingStatus = Open<"suggested" | "confirmed">;

/** How far a value can be trusted. `high`: two models agree and the arithmetic checks out. */
export type Confidence = Open<"high" | "mid" | "low">;

/**
 * A value that somebody has entered. `read` is what was read instead, as text: an exact decimal, an ISO
 * 8601 date or what is printed; null if nothing was read, and for tables. `by` is the person's address, or
 * with `by_key` the name of the API key that was used.
 */
export interface Correction {
  /** The extracted value; null if none was found. */
  read: string | null;
  /** The address of a person or the name of an API key. */
  by: string;
  /** Whether `by` is the name of an API key. */
  by_key: boolean;
  /** When. */
  at: IsoDateTime;
}

/**
 * What a vendor billed in one currency (null: no currency was read), duplicates and rejected invoices left
 * out.
 */
export interface CurrencyTotal {
  /** The ISO 4217 code; null if it was not found. */
  currency: string | null;
  /** The total of the invoice, with tax; null if it was not found. */
  amount: Decimal;
}

/**
 * The value of an own field: an exact decimal, an ISO 8601 date, a choice or the printed text; null if it
 * was not found. `confidence` and `score` are of the value that was found, whatever the invoice says now:
 * `high`, at least 99 % of such values were right among the account's own decisions; `mid`, two ways of
 * finding it agree; `low`, only one found it. `reason` is a sentence for people. `source` is `models` for a
 * value that was found.
 */
export interface CustomValue {
  /** An exact decimal, an ISO 8601 date, a choice or the printed text; null if it was not found. */
  value: string | null;
  /** Of the value that was found: `mid` if two ways of finding it agree, `high` once such values proved right. */
  confidence: Confidence | null;
  /** The estimated probability that the found value is right; null if none was found. */
  score: number | null;
  /** How the value was found. */
  reason: string | null;
  /** Whether an invoice without a sure value needs a person. */
  required: boolean;
  /** `models` if the service found the value, `person` if somebody entered it. */
  source: FieldSource | null;
  /** Where the value is printed; null if that is unknown. */
  citation: Citation | null;
}

/** The payload of `invoice.deleted`; it is kept as long as the ids of what was deleted (ERASED_ID_LIFE). */
export interface DeletedEvent {
  /** The id. */
  id: string;
  /** What happened. */
  type: "invoice.deleted";
  /** False in test mode. */
  livemode: boolean;
  /** When it was created. */
  created_at: IsoDateTime;
  /** The object of the event, or the entries of the list. */
  data: DeletedEventData;
}

/** The deleted invoice: its id only. */
export interface DeletedEventData {
  /** The invoice at the time of the event. */
  invoice: DeletedInvoice;
}

/** What is left of a deleted invoice. */
export interface DeletedInvoice {
  /** The id. */
  id: string;
  /** The type of the object. */
  object: "invoice";
  /** Always true. */
  deleted: true;
}

/**
 * What bookkeeping asks for beside the header fields; null where it is not printed or was not found.
 * `discount` and `amount_paid` are given without a sign. `vendor_tax_id`, `buyer_tax_id` and `iban` are
 * without the gaps that are printed in them. `payment_terms` are as printed. The confidence and the place
 * of each value that was found are in `field_confidence` and `citations`; `tax_lines` have a list of places
 * parallel to them. `field_source` means the same as in the invoice.
 */
export interface Details {
  /** The recipient of the invoice. */
  buyer_name: string | null;
  /** The number of your order. */
  purchase_order: string | null;
  /** The sum before tax. */
  subtotal: Decimal | null;
  /** The tax of each rate. */
  tax_lines: Array<TaxLine>;
  /** For the whole document. */
  shipping: Decimal | null;
  /** For the whole document, without a sign. */
  discount: Decimal | null;
  /** The amount still to pay, where the page states it. */
  amount_due: Decimal | null;
  /** The amount paid before, without a sign. */
  amount_paid: Decimal | null;
  /** The vendor's tax number, without spaces. */
  vendor_tax_id: string | null;
  /** The buyer's tax number, without spaces. */
  buyer_tax_id: string | null;
  /** The bank account to pay, without spaces. */
  iban: string | null;
  /** As printed. */
  payment_terms: string | null;
  /** The confidence of each value that was read. */
  field_confidence: Record<string, Confidence>;
  /** The source of each value. */
  field_source: Record<string, FieldSource>;
  /** Where each value is printed. */
  citations: Record<string, Citation | Array<Citation>> | null;
}

/**
 * What codes answer one question: which account, which cost centre, which tax code, which project, or an
 * own one. `key` is its name in postings.
 */
export interface Dimension {
  /** The name of the dimension in postings. */
  key: string;
  /** What people call it. */
  name: string;
  /** Its codes. */
  codes: Array<ChartCode>;
}

/** A dimension with all its codes. */
export interface DimensionBody {
  /** `account`, `cost_center`, `tax_code`, `project`, or an own one. */
  key: string;
  /** What people call it. */
  name: string;
  /** Its codes. */
  codes: Array<CodeBody>;
}

/**
 * The kind of document. `other`: one that asks for no payment, such as an offer, an order, a delivery note
 * or a statement; nothing read from it is ever `high`.
 */
export type DocumentType = Open<"invoice" | "credit_note" | "receipt" | "other">;

/** Why a value is not `high`. */
export type DoubtCode = Open<"models_differ" | "read_badly" | "sums_miss" | "implausible" | "other_document" | "remembered" | "unsure" | "not_found">;

/**
 * Whether the electronic invoice of the file says the same as its page. Values are taken from it only if it
 * is the file itself (XML): then its page is made from it and matches.
 */
export interface EInvoiceCheck {
  /** The profile of the electronic invoice. */
  profile: string;
  /** Whether it has the same values as the page. */
  matches_page: boolean;
  /** Values in which the electronic invoice and the page differ. */
  differences: Array<EInvoiceDifference>;
  /** What published rules say of it; null if it was not checked. */
  validation: EInvoiceValidation | null;
}

/**
 * A value of the electronic invoice that the page contradicts; `page` is what the page says instead, or
 * null if that could not be determined. Amounts are plain decimals, dates ISO 8601.
 */
export interface EInvoiceDifference {
  /** The field. */
  field: EInvoiceField;
  /** The value in the electronic invoice. */
  einvoice: string;
  /** The value on the page; null if it could not be determined. */
  page: string | null;
}

/** What an embedded electronic invoice and the page are compared by. */
export type EInvoiceField = Open<"invoice_number" | "amount" | "tax" | "currency" | "issued_at" | "due_at" | "vat_id" | "iban">;

/**
 * A published rule that the electronic invoice breaks. `text` is what the rule requires, in its publisher's
 * words; `place` is the path of the element.
 */
export interface EInvoiceFinding {
  /** The publisher's name of the rule; `XSD` for the schema, `PROFILE` for the elements of a Factur-X level. */
  rule: string;
  /** `error`: it is not valid. `warning`: it should be changed. */
  severity: FindingSeverity;
  /** What the rule requires, in its publisher's words. */
  text: string;
  /** The path of the element. */
  place: string | null;
}

/** How an electronic invoice is written; `facturx` is CII embedded in the invoice's PDF. */
export type EInvoiceFormat = Open<"ubl" | "cii" | "facturx">;

/**
 * What published rules say of the electronic invoice. `profile` is what it says it follows (BT-24). `valid`
 * is null if nothing was checked; `not_checked` names rules of the profile that are not available.
 */
export interface EInvoiceValidation {
  /** The specification that it says it follows (BT-24). */
  profile: string | null;
  /** Whether it keeps all rules that were checked; null if none were. */
  valid: boolean | null;
  /** The schema and the rules that it was checked with. */
  checked_by: Array<string>;
  /** Rules of its specification that are not available here. */
  not_checked: Array<string>;
  /** Rules that it breaks, at most 100. */
  findings: Array<EInvoiceFinding>;
}

/** A webhook payload; ids sort by time. */
export interface Event {
  /** The id. */
  id: string;
  /** What happened. */
  type: EventType;
  /** False in test mode. */
  livemode: boolean;
  /** When it was created. */
  created_at: IsoDateTime;
  /** The object of the event, or the entries of the list. */
  data: EventData;
}

/** The invoice as it was when the event happened. */
export interface EventData {
  /** The invoice at the time of the event. */
  invoice: Invoice;
}

/** Events, newest first. Without `type`, all are of the types `invoice.completed` and `invoice.failed`. */
export interface EventList {
  /** The type of the object. */
  object: "list";
  /** The object of the event, or the entries of the list. */
  data: Array<Event | DeletedEvent>;
  /** Whether more entries follow. */
  has_more: boolean;
}

export type EventType = Open<"invoice.completed" | "invoice.failed" | "invoice.reviewed" | "invoice.updated" | "invoice.deleted">;

/** Who or what says the same as the invoice. */
export type EvidenceKind = Open<"extractor" | "verifier" | "sums" | "code" | "einvoice" | "history" | "person">;

/** A file for another program, with its receipt. */
export interface Export {
  /** The id. */
  id: string;
  /** Always `export`. */
  object: "export";
  /** The program that the file is for. */
  format: ExportFormat;
  /** When it was made. */
  created_at: IsoDateTime;
  /** The person's address, or the name of the API key. */
  created_by: string;
  /** The name of the file. */
  file_name: string;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** The size of the file. */
  size_bytes: number;
  /** False once one of its invoices was deleted; the file went with it. */
  has_file: boolean;
  /** The invoices in it, in the order of the file. */
  invoices: Array<string>;
  /** What could not be written as it is in the invoice. */
  notes: Array<string>;
  /** The settings of the format, as far as they differ from the defaults. */
  settings: Record<string, unknown>;
  /** Of an export that a schedule has made; null otherwise. */
  delivery: ExportDelivery | null;
  /** The newest 500 of the invoices that are not ready, in the response to the creation; null later. */
  not_ready: Array<NotReadyInvoice> | null;
}

/** Where the file of a scheduled export goes, and how that went. */
export interface ExportDelivery {
  /** A folder, bucket or SFTP server, an address of e-mail, or a program: `odoo:`, `xero:`, `quickbooks:`. */
  place: string;
  /** How often it was tried. */
  tries: number;
  /** Why the last try failed; null if it did not. */
  problem: string | null;
  /** When it is tried next; null: no more. */
  next_try_at: IsoDateTime | null;
  /** When it was delivered. */
  delivered_at: IsoDateTime | null;
  /** Of a program, the invoices that were booked, and those that were not; otherwise empty. */
  invoices: Array<BookedInvoice>;
}

/** What program a file is for. `template`: any other, with columns that a person chooses. */
export type ExportFormat = Open<"datev" | "xero" | "quickbooks" | "odoo" | "lexware" | "flat_file" | "template">;

/** Exports, newest first. */
export interface ExportList {
  /** Always `list`. */
  object: "list";
  /** The exports. */
  data: Array<Export>;
  /** Whether more entries follow. */
  has_more: boolean;
}

/** Why a run ended without a result. */
export interface Failure {
  /** A fixed word for programs. */
  code: FailureCode;
  /** A sentence for people. */
  message: string;
}

export type FailureCode = Open<"document_encrypted" | "document_unreadable" | "document_too_large" | "no_text_found" | "extraction_interrupted">;

/** The keys of `field_confidence` and `citations`. */
export type Field = Open<"vendor" | "invoice_number" | "amount" | "currency" | "issued_at" | "due_at" | "tax" | "line_items">;

/** The decision on a field. */
export interface FieldBody {
  /**
   * A text: an exact decimal such as `1190.50`, an ISO 8601 date or the printed words; null if nothing is
   * printed.
   */
  value: string | null;
  /** Where the value is printed; null if that is not known. */
  citation?: CitationBody | null | undefined;
}

/** Who decided what the value is. */
export interface FieldDecision {
  /** The address of a person or the name of an API key. */
  by: string;
  /** When. */
  at: IsoDateTime;
}

/**
 * One field: how many of its values people have corrected, and the share of invoices on which it was
 * `high`.
 */
export interface FieldQuality {
  /** The field. */
  field: Field;
  /** Whether a person changed the extracted value. */
  corrected: number;
  /** The share of invoices on which it was `high`, from 0 to 1. */
  coverage: number | null;
}

/**
 * Where a value comes from. `models`: two models read it. `person`: somebody has entered another value than
 * was read, or that there is none. `einvoice`: the file is an electronic invoice (XML), and the value is
 * its own.
 */
export type FieldSource = Open<"models" | "person" | "einvoice">;

export interface FileInfo {
  /** The name of the file. */
  name: string | null;
  /** The type of the file. */
  mime_type: string | null;
  /** The size of the file. */
  size_bytes: number | null;
}

/** Where an invoice's document can be downloaded for `expires_in` seconds, with no key. */
export interface FileLink {
  /** The id. */
  id: string;
  /** The URL of the document, valid until the link expires. */
  url: string;
  /** The lifetime of the link in seconds. */
  expires_in: 3600;
  /** The name of the file. */
  file_name: string | null;
  /** The type of the file. */
  mime_type: string | null;
}

/**
 * `error`: a rule that the invoice must meet is broken. `warning`: it should be met, or it could not be
 * checked.
 */
export type FindingSeverity = Open<"error" | "warning">;

/** Only held mails that wait for this. */
export type HeldFor = Open<"sender" | "quota">;

/** What a vendor can be known by besides its name. */
export type IdentifierKind = Open<"tax_number" | "iban" | "domain">;

/** An invoice as `GET /v1/invoices/{id}` returns it. */
export interface Invoice {
  /** The issuer of the invoice; null if it was not found. */
  vendor_name: string | null;
  /** The number as it is printed; null if it was not found. */
  invoice_number: string | null;
  /** The total of the invoice, with tax; null if it was not found. */
  amount: Decimal | null;
  /** The ISO 4217 code; null if it was not found. */
  currency: string | null;
  /** The issue date; null if it was not found. */
  issued_at: IsoDate | null;
  /** The due date; null if it was not found. */
  due_at: IsoDate | null;
  /** The tax; null if it was not found. */
  tax: Decimal | null;
  /** The lines of the invoice, as a whole. */
  line_items: Array<LineItem>;
  /**
   * What the models say about the value that they read, whatever the invoice says now: compare
   * `field_source`.
   */
  field_confidence: Record<string, Confidence> | null;
  /** Where each value is printed. */
  citations: Record<string, Citation | Array<Citation>> | null;
  /** The expected share of right header fields, from 0 to 1. */
  quality_score: number | null;
  /**
   * Vendor, number, amount, currency and issue date were all read with `high` confidence. It is about what
   * the models read: before you pay without a look, also check that no `field_source` is `person`.
   */
  auto_verified: boolean;
  /** The account's target precision when the levels of confidence were made. */
  target_precision: number | null;
  /** How many pages it has. */
  pages: number | null;
  /** Its place in a file of several invoices; null if it came alone. */
  batch: Batch | null;
  /** The electronic invoice in the file, compared with its page. */
  einvoice: EInvoiceCheck | null;
  /** Machine-readable codes on its pages, such as QR codes, compared with what is printed. */
  codes: Array<Code>;
  /** What is unusual in its file and beside the supplier's earlier invoices, alerts first. */
  checks: Array<SupplierCheck>;
  /** The purchase orders that it bills; null for accounts without orders. */
  order_match: OrderMatch | null;
  /** The models that read the invoice. */
  models: ModelRevisions | null;
  /** What reading it took; null before the extraction, and for invoices of older versions. */
  usage: Usage | null;
  /** The kind of document. */
  document_type: DocumentType | null;
  /** How reliable the kind is. */
  document_type_confidence: Confidence | null;
  /** Further values for bookkeeping; null if nothing was found. */
  details: Details | null;
  /** What it is booked on; null without a chart, and if it was read before there was one. */
  coding: Coding | null;
  /** The account's own fields of the whole invoice, by their names. */
  custom: Record<string, CustomValue>;
  /** The id. */
  id: string;
  /** The type of the object. */
  object: "invoice";
  /** False in test mode. */
  livemode: boolean;
  /** The status. */
  status: Status;
  /** How the invoice came in. */
  source: Source;
  /** When it was created. */
  created_at: IsoDateTime;
  /** When it was last changed. */
  updated_at: IsoDateTime;
  /** The file that was sent. */
  file: FileInfo;
  /** Why the extraction failed. */
  failure: Failure | null;
  /** The oldest invoice with the same vendor, number and amount. */
  duplicate_of: string | null;
  /** The vendor in `/v1/vendors`. */
  vendor_id: string | null;
  /** Whether it was marked as paid. */
  paid: boolean;
  /** When it was marked as paid. */
  paid_at: IsoDateTime | null;
  /** Your own tag. */
  entity_tag: string | null;
  /** The state of the approval request; null if nobody was asked. */
  approval_status: ApprovalStatus | null;
  /** The address that was asked for approval. */
  approval_email: string | null;
  /** The metadata sent with the invoice. */
  metadata: Record<string, string>;
  /** The review of the invoice. */
  review: InvoiceReview;
  /** The source of each value. A field has a key if it has a value, or if somebody has said that it has none. */
  field_source: Record<string, FieldSource>;
  /** Where `document_type` comes from. */
  document_type_source: FieldSource | null;
  /**
   * The export that it came into first; null while it is in none, or after it was unlocked. While it is in
   * one, its values cannot be changed.
   */
  export_id: string | null;
  /** While it is queued, when its run will probably begin; null if that is unknown, and in lists and events. */
  estimated_start_at: IsoDateTime | null;
}

/** Invoices, newest first. */
export interface InvoiceList {
  /** The type of the object. */
  object: "list";
  /** The object of the event, or the entries of the list. */
  data: Array<Invoice>;
  /** Whether more entries follow. */
  has_more: boolean;
}

/**
 * What people say about an invoice. `fields` are those with another value than was read: the invoice has
 * theirs, and `corrections` tells of each who entered it. `by` and `at` are of the last confirmation or
 * rejection, `reason` of a rejection.
 */
export interface InvoiceReview {
  /** The review of the invoice. */
  status: ReviewStatus;
  /** The address of a person or the name of an API key. */
  by: string | null;
  /** When. */
  at: IsoDateTime | null;
  /** Why it was rejected. */
  reason: string | null;
  /** The fields. */
  fields: Array<string>;
  /** For each corrected field: who entered the value, and the value that the models read. */
  corrections: Record<string, Correction>;
}

/** A key as `GET /v1/me` shows it. */
export interface KeyInfo {
  /** The id. */
  id: string;
  /** The name of the key. */
  name: string;
  /** The first characters of the key. */
  prefix: string;
  /** What the key may do: `full` everything, `read` all GET endpoints. */
  scope: Scope;
  /** When it was created. */
  created_at: IsoDateTime;
}

/**
 * Values of one field and level on which people have decided. `share` of them was right, weighted by how
 * many values each stands for; `low` and `high` are its 95 % interval.
 */
export interface LevelQuality {
  /** The field. */
  field: Field;
  /** The level of confidence. */
  level: Confidence;
  /** The number of values that people saw. */
  values: number;
  /** The number of them that were right. */
  right: number;
  /** The number of values that they represent. */
  stands_for: number;
  /** The share of right values, weighted. */
  share: number;
  /** The lower end of the 95 % interval. */
  low: number;
  /** The upper end of the 95 % interval. */
  high: number;
}

export interface LineItem {
  /** The text of the line. */
  description: string | null;
  /** How many. */
  quantity: Decimal | null;
  /** The price of one. */
  unit_price: Decimal | null;
  /** How reliable the extracted value is. */
  confidence: Confidence | null;
  /** The total of the line. */
  total: Decimal | null;
  /** In percent. */
  tax_rate: Decimal | null;
  /** The account's own fields of lines, by their names. */
  custom: Record<string, CustomValue>;
}

/** A mail that came in, with its parts. */
export interface Mail {
  /** The mail's id. */
  id: string;
  /** The kind of resource. */
  object: "mail";
  /** `queued`, `held`, `reading` (its documents are being read), `done` or `discarded`. */
  state: ShownState;
  /** The reason why the mail is held: its `sender` or the `quota`. */
  held_for: HeldFor | null;
  /** When it was accepted. */
  received_at: IsoDateTime;
  /** How it came in. */
  way: Way;
  /** The private address that received it. */
  recipient: string;
  /** The sender. */
  sender: MailSender;
  /** Its subject, or an empty text. */
  subject: string;
  /** Its Message-ID. */
  message_id: string | null;
  /** Its size. */
  size_bytes: number;
  /** The entity tag of its invoices. */
  entity_tag: string | null;
  /** When the service notified the sender of a problem. */
  answered_at: IsoDateTime | null;
  /** Its parts; empty until it has been unpacked. */
  parts: Array<MailPart>;
}

/** Mails, newest first. */
export interface MailList {
  /** The kind of answer. */
  object: "list";
  /** The mails. */
  data: Array<Mail>;
  /** Whether anything follows. */
  has_more: boolean;
}

/** A part of a mail and its outcome. */
export interface MailPart {
  /** Its position in the mail: `1.2` is the second part of the first. */
  path: string;
  /**
   * The outcome: `invoice`, `same_file` (the account already has it), `waiting` (the mail is held),
   * `unpacked` (its contents follow), `ignored`, `links`, `erased`, or a problem.
   */
  outcome: Outcome;
  /** The reason in words, or an empty text. */
  reason: string;
  /** Whether a part that looks like a document was not read. */
  problem: boolean;
  /** The name of the file. */
  file_name: string | null;
  /** The type of its bytes; if unknown, the type that the mail states. */
  mime_type: string | null;
  /** Its size. */
  size_bytes: number;
  /** The invoice made from it, or the invoice with the same file. */
  invoice_id: string | null;
}

/** The sender that the mail names, without proof. */
export interface MailSender {
  /** The address in `From`; null if there is none. */
  address: string | null;
  /** The name beside it; may be empty. */
  name: string;
}

/**
 * A line item of the invoice (from 1) and the position in the order that it bills. `quantity` is in the
 * order's unit, `amount` is net; both are below zero on credit notes.
 */
export interface MatchedLine {
  /** The line item of the invoice, from 1. */
  line: number;
  /** The order's id. */
  order_id: string;
  /** The position of the line in the order. */
  order_line: number;
  /** How much it bills, in the unit of the order; below zero on credit notes. */
  quantity: Decimal;
  /** What it costs without tax; below zero on credit notes. */
  amount: Decimal;
}

/** An order that the invoice bills. */
export interface MatchedOrder {
  /** The id. */
  id: string;
  /** The order's number. */
  number: string;
}

/** The answer of `GET /v1/me`. */
export interface Me {
  /** The id of the account. */
  user_id: string;
  /** The key that was sent. */
  key: KeyInfo;
  /** How much of the monthly quota is used. */
  quota: QuotaInfo;
  /** None: the account has no budget. */
  budget: BudgetInfo | null;
  /** What the readings of the current calendar month took together. */
  usage: Usage;
  /** The share of `high` values that must be right. */
  target_precision: number;
  /** False for a key of test mode, whose data is apart. */
  livemode: boolean;
}

/** The revisions of the models that made the result. */
export interface ModelRevisions {
  /** The revision of the first model. */
  extractor: string;
  /** The revision of the second model. */
  verifier: string;
}

/** An invoice that the export left out. */
export interface NotReadyInvoice {
  /** Its id. */
  invoice_id: string;
  /** Why it is not ready. */
  reason: string;
}

/**
 * A difference. `line` is the line item of the invoice (from 1), `order_line` the position in the order;
 * null if it is about neither. `expected` is what the order says, `found` what the invoice says: exact
 * decimals, or texts. `text` is a sentence for people.
 */
export interface OrderFinding {
  /** A fixed word for programs. */
  kind: OrderFindingKind;
  /** The line item of the invoice, from 1; null if it is about none. */
  line: number | null;
  /** The order's id; null if it is about none. */
  order_id: string | null;
  /** The position of the line in the order; null if it is about none. */
  order_line: number | null;
  /** What the order says: an exact decimal or a text; null if it says nothing. */
  expected: string | null;
  /** What the invoice says; null if it says nothing. */
  found: string | null;
  /** A sentence for people. */
  text: string;
}

/** How an invoice differs from its orders. */
export type OrderFindingKind = Open<"price_above" | "price_below" | "quantity_above_ordered" | "quantity_above_received" | "line_not_ordered" | "line_incomplete" | "line_missing" | "unit_differs" | "vendor_differs" | "currency_differs" | "order_closed" | "order_used_up" | "order_unknown" | "billed_twice" | "total_differs" | "charge_not_ordered">;

/**
 * How the order was found: by the number that was read as the order's (`number`), by its number elsewhere
 * in the text (`text`), or by the vendor and the lines (`lines`).
 */
export type OrderFoundBy = Open<"number" | "text" | "lines">;

/** A line of an order. */
export interface OrderLineBody {
  /** Its number in the order; without one, its place among the lines. */
  position?: number | null | undefined;
  /** What was ordered. */
  description?: string | undefined;
  /** The vendor's or your own article number, as invoices print it. */
  sku?: string | null | undefined;
  /** How many were ordered. */
  quantity: Decimal | number;
  /** The unit of the quantity. */
  unit?: string | null | undefined;
  /** The price of one unit, without tax. */
  unit_price: Decimal | number;
  /** How many have arrived; null: arrivals are not counted, and the line is matched without them. */
  received_quantity?: Decimal | number | null | undefined;
}

/**
 * The orders that an invoice bills, line by line, and how it differs from them. `skips_review`: it is
 * within tolerance, and the account lets such invoices pass without a look.
 */
export interface OrderMatch {
  /** `matched`: within the tolerances; `differs`: a person should look; `not_found`: no known order. */
  status: OrderMatchStatus;
  /**
   * How the order was found: by the `number` that was read, in the `text`, or by its `lines`; null: not
   * found.
   */
  found_by: OrderFoundBy | null;
  /** The orders that it bills. */
  orders: Array<MatchedOrder>;
  /** Which line item bills which line of an order. */
  lines: Array<MatchedLine>;
  /** How it differs from its orders. */
  findings: Array<OrderFinding>;
  /** Whether it needs no review, because the account's rules say so. */
  skips_review: boolean;
}

/**
 * `matched`: everything that is billed was ordered, within the account's tolerances. `differs`: an order
 * was found, and something differs from it. `not_found`: the account has orders, and the invoice belongs to
 * none that is known, or to several alike.
 */
export type OrderMatchStatus = Open<"matched" | "differs" | "not_found">;

/** `closed`: nothing more may be billed. */
export type OrderStatus = Open<"open" | "closed">;

/** What became of a part of a mail. */
export type Outcome = Open<"invoice" | "same_file" | "waiting" | "ignored" | "unpacked" | "links" | "attachment_missing" | "xml_only" | "needs_password" | "encrypted_mail" | "unsupported" | "too_large" | "too_many" | "unreadable" | "erased">;

/**
 * A field that an account adds. `name` is its key in `custom` of invoices, or of their line items if its
 * `scope` is `line`; it never changes, and neither do scope and type. `label` is for people. `choices` are
 * the values that it can have, if its type is `choice`. `captions` are printed beside or above the value;
 * further ones are learned. An invoice that lacks a `required` field needs a person.
 */
export interface OwnField {
  /** The type of the object. */
  object: "field";
  /** Its key in `custom` of invoices; it never changes. */
  name: string;
  /** What people call it. */
  label: string;
  /** What its values are. */
  type: OwnFieldType;
  /** What a value is about: `header`, the whole invoice; `line`, one of its lines. */
  scope: OwnFieldScope;
  /** The values that it can have; only of the type `choice`. */
  choices: Array<string>;
  /** Words that are printed beside or above the value; further ones are learned. */
  captions: Array<string>;
  /** Whether an invoice without a sure value needs a person. */
  required: boolean;
}

/** The own fields of an account. */
export interface OwnFieldList {
  /** The type of the object. */
  object: "list";
  /** The object of the event, or the entries of the list. */
  data: Array<OwnField>;
  /** Whether more entries follow. */
  has_more: boolean;
}

/** What a value is about: the whole invoice, or one of its lines. */
export type OwnFieldScope = Open<"header" | "line">;

/** What the values of a field are. */
export type OwnFieldType = Open<"text" | "number" | "date" | "choice">;

/**
 * A page of an invoice and its words, in reading order; without words if they were not kept. `picture` is
 * where its picture is.
 */
export interface PageAnswer {
  /** The type of the object. */
  object: "page";
  /** The page, from 1. */
  page: number;
  /** In points; null if it is not known. */
  width: number | null;
  /** In points; null if it is not known. */
  height: number | null;
  /** The URL of its picture. */
  picture: string;
  /** Its words, in reading order. */
  words: Array<PageWord>;
}

/** A printed word; `score` (0 to 1) is how surely it was read, null for a text layer. */
export interface PageWord {
  /** The printed text, or the value that it means. */
  text: string;
  /** `x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner. */
  box: [number, number, number, number];
  /** The score, from 0 to 1. */
  score: number | null;
}

/** Why an endpoint is paused: by its owner, because it answered 410, or because it failed for days. */
export type PauseReason = Open<"by_hand" | "gone" | "failing">;

/**
 * What a line, or a share of it, is booked on. `line` is the number of the line item, from 1; null: the
 * whole invoice. `share` is in percent of the line, `amount` that share of the line's total, or of the
 * invoice's amount; null if the total is unknown. The amounts of a line's postings add up to its total.
 * `codes` has a key for each dimension of the chart.
 */
export interface Posting {
  /** The number of the line item, from 1; null: the whole invoice. */
  line: number | null;
  /** The share of the line, in percent. */
  share: number;
  /** Its share of the line's total, or of the invoice's amount; null if unknown. */
  amount: Decimal | null;
  /** The code of each dimension of the chart. */
  codes: Record<string, PostingCode>;
}

/** What a line, a share of it, or the whole invoice is booked on. */
export interface PostingBody {
  /** The number of the line item, from 1; null: the whole invoice. */
  line?: number | null | undefined;
  /** The share of the line, in percent, such as `33.3333`; only if it has several postings. */
  share?: string | null | undefined;
  /** The amount of the posting instead of its share. */
  amount?: string | null | undefined;
  /** The code of each dimension; null: none. */
  codes: Record<string, unknown>;
}

/**
 * A code of a posting; `value` null: none. `confidence` and `score` are of the suggestion: null once
 * somebody has decided. `high`: at least 99 % of such suggestions were right among the account's own
 * decisions. `reason` is a sentence for people.
 */
export interface PostingCode {
  /** The code; null: none. */
  value: string | null;
  /** How reliable the suggestion is; null once it is decided. */
  confidence: Confidence | null;
  /** The estimated probability that the suggestion is right. */
  score: number | null;
  /** What the suggestion is based on. */
  reason: string | null;
}

/** A purchase order with what is open of it. */
export interface PurchaseOrder {
  /** The id. */
  id: string;
  /** The type of the object. */
  object: "purchase_order";
  /** The order's number. */
  number: string;
  /** The vendor's name. */
  vendor: string;
  /** The ISO 4217 code; null if it was not found. */
  currency: string;
  /** The day of the order; null if it is unknown. */
  ordered_on: IsoDate | null;
  /** `open`, or `closed`: nothing more may be billed. */
  status: OrderStatus;
  /** Its lines, with what is billed and open of each. */
  lines: Array<PurchaseOrderLine>;
  /** When it was created. */
  created_at: IsoDateTime;
  /** When it was last changed. */
  updated_at: IsoDateTime;
}

/** A line of an order, with what is billed and open of it. */
export interface PurchaseOrderLine {
  /** Its number in the order. */
  position: number;
  /** The text of the line. */
  description: string;
  /** The article number; null if there is none. */
  sku: string | null;
  /** How many were ordered. */
  quantity: Decimal;
  /** The unit of the quantity; null if it is unknown. */
  unit: string | null;
  /** The price of one unit, without tax. */
  unit_price: Decimal;
  /** How many have arrived; null: arrivals are not counted. */
  received_quantity: Decimal | null;
  /** How many invoices bill that are complete and not rejected. */
  billed_quantity: Decimal;
  /** How many may still be billed. */
  open_quantity: Decimal;
}

/** Purchase orders, newest first. */
export interface PurchaseOrderList {
  /** The type of the object. */
  object: "list";
  /** The object of the event, or the entries of the list. */
  data: Array<PurchaseOrder>;
  /** Whether more entries follow. */
  has_more: boolean;
}

/** The tolerances in force. */
export interface PurchaseOrderRules {
  /** The type of the object. */
  object: "order_rules";
  /** How many percent a line may cost more or less than ordered. */
  price_percent: Decimal;
  /** The same as an amount in the order's currency; either is enough. */
  amount: Decimal;
  /** How many percent more may be billed than ordered or received. */
  quantity_percent: Decimal;
  /** Whether an invoice within tolerance needs no review. */
  skip_review: boolean;
}

/**
 * What people's decisions on an account's invoices say about the levels of confidence. `promised` is the
 * least share of `high` values of a field that is to be right. `drawn` is how many of the decided invoices
 * were of the audit sample.
 */
export interface QualityAnswer {
  /** The type of the object. */
  object: "quality";
  /** The share of right values that `high` guarantees. */
  promised: number;
  /** The number of invoices that people confirmed or rejected. */
  decided: number;
  /** The number of them that were confirmed. */
  confirmed: number;
  /** The number of them that were rejected. */
  rejected: number;
  /** The number of them in the audit sample. */
  drawn: number;
  /** The accuracy of each level, by field. */
  levels: Array<LevelQuality>;
  /** The fields. */
  fields: Array<FieldQuality>;
  /** The vendors with the most corrections. */
  vendors: Array<VendorQuality>;
  /** Raised thresholds. */
  thresholds: Array<RaisedThreshold>;
  /** The time saved. */
  time: TimeSaved;
}

/** Extractions of the current calendar month; `limit` None: no limit. */
export interface QuotaInfo {
  /** Extractions of this month. */
  used: number;
  /** Extractions a month; null if there is no limit. */
  limit: number | null;
  /** When the month began. */
  period_start: IsoDateTime;
}

/**
 * A field whose `high` values were wrong too often: since then they are `high` from this probability on, or
 * never (null).
 */
export interface RaisedThreshold {
  /** The field. */
  field: Field;
  /** The lowest probability at which a value is `high`; null if no value is. */
  chance: number | null;
  /** The start. */
  since: IsoDateTime;
}

/** Who reads a value. */
export type ReadBy = Open<"extractor" | "verifier" | "both" | "memory">;

/** What has arrived of a line. */
export interface ReceivedLineBody {
  /** The number of the line in the order. */
  position: number;
  /** How many more have arrived; less than zero takes back. */
  quantity: Decimal | number;
}

/**
 * Everything that a person needs to decide on an invoice. `revision` is to be sent with a change.
 * `assignee` is the person whose work it is.
 */
export interface ReviewAnswer {
  /** The id. */
  id: string;
  /** The type of the object. */
  object: "review";
  /** The revision to send with a change. */
  revision: number;
  /** The review of the invoice. */
  status: ReviewStatus;
  /** The address of a person or the name of an API key. */
  by: string | null;
  /** When. */
  at: IsoDateTime | null;
  /** Why it was rejected. */
  reason: string | null;
  /** The fields. */
  fields: Record<string, ReviewField>;
  /** The lines of the invoice, as a whole. */
  line_items: ReviewTable;
  /** The tax of each rate. */
  tax_lines: ReviewTaxTable;
  /** Sums that are checked. */
  checks: Array<ReviewCheck>;
  /** The pages. */
  pages: Array<ReviewPage>;
  /** How many changes can be undone and redone. */
  history: ReviewHistory;
  /** Who has the review open. */
  opened_by: ReviewReader | null;
  /** The person assigned to review it. */
  assignee: string | null;
}

/**
 * A value that may be the field's. `text` is what is printed, `sources` are those who read it, `score` is
 * from 0 to 1.
 */
export interface ReviewCandidate {
  /** The value. */
  value: string;
  /** The printed text, or the value that it means. */
  text: string;
  /** The models or people that give this value. */
  sources: Array<ReadBy>;
  /** The score, from 0 to 1. */
  score: number;
  /** Where the value is printed; null if that is not known. */
  citation: Citation;
}

/** A sum that should come out: `difference` is what it is too much (or, negative, too little). */
export interface ReviewCheck {
  /** A fixed word for programs. */
  code: string;
  /** The printed text, or the value that it means. */
  text: string;
  /** Whether the sum is right. */
  holds: boolean;
  /** The difference between the two sides; negative if the left side is smaller. */
  difference: string;
}

/** Why a value is not `high`: a code, and a sentence for people. */
export interface ReviewDoubt {
  /** A fixed word for programs. */
  code: DoubtCode;
  /** The printed text, or the value that it means. */
  text: string;
}

/**
 * One field. `value` is what the invoice has, `read` what was read; `corrected` is whether they differ.
 * `decision` is a person's, also where it is what was read. `earlier` are confirmed invoices of the vendor
 * that speak for the value that was read. `evidence` is what speaks for the value of the invoice.
 */
export interface ReviewField {
  /** The value. */
  value: string | null;
  /** The extracted value; null if none was found. */
  read: string | null;
  /** Whether a person changed the extracted value. */
  corrected: boolean;
  /** Who decided on the value; null if nobody did. */
  decision: FieldDecision | null;
  /** How reliable the extracted value is. */
  confidence: Confidence | null;
  /** Where the value is printed; null if that is not known. */
  citation: Citation | null;
  /** Why the value is not `high`. */
  doubt: ReviewDoubt | null;
  /** Possible values of the field, the likeliest first. */
  candidates: Array<ReviewCandidate>;
  /** Confirmed invoices of the vendor that support the value. */
  earlier: Array<string>;
  /** What speaks for the value of the invoice. */
  evidence: Array<EvidenceKind>;
}

/** What people must have said about an invoice. */
export type ReviewFilter = Open<"open" | "confirmed" | "rejected" | "not_rejected">;

/** How many changes can be undone and redone. */
export interface ReviewHistory {
  /** How many changes can be undone. */
  undo: number;
  /** How many changes can be redone. */
  redo: number;
}

/** A page of the invoice; its size in points, if that is known. */
export interface ReviewPage {
  /** The page, from 1. */
  page: number;
  /** In points; null if it is not known. */
  width: number | null;
  /** In points; null if it is not known. */
  height: number | null;
}

/** Who has a review open; nobody has after `until`, unless the reader gives a sign of life before. */
export interface ReviewReader {
  /** The name. */
  name: string;
  /** When the lock ends unless it is renewed. */
  until: IsoDateTime;
}

/** One line item. */
export interface ReviewRow {
  /** The text of the line. */
  description: string | null;
  /** How many. */
  quantity: string | null;
  /** The price of one. */
  unit_price: string | null;
  /** The total of the line. */
  total: string | null;
  /** In percent. */
  tax_rate: string | null;
  /** How reliable the extracted value is. */
  confidence: Confidence | null;
  /** Where the value is printed; null if that is not known. */
  citation: Citation | null;
  /** The account's own fields of lines, by their names. */
  custom: Record<string, CustomValue>;
}

/** What a person says about an invoice. */
export type ReviewStatus = Open<"open" | "confirmed" | "rejected">;

/** The line items, in the terms of a field. */
export interface ReviewTable {
  /** Whether a person changed the extracted value. */
  corrected: boolean;
  /** Who decided on the value; null if nobody did. */
  decision: FieldDecision | null;
  /** How reliable the extracted value is. */
  confidence: Confidence | null;
  /** Why the value is not `high`. */
  doubt: ReviewDoubt | null;
  /** The value. */
  value: Array<ReviewRow>;
  /** The extracted value; null if none was found. */
  read: Array<ReviewRow>;
}

/** The tax of one rate, which is in percent; `base` is the net sum that it is taken of. */
export interface ReviewTaxRow {
  /** In percent. */
  rate: string | null;
  /** The net sum that is taxed. */
  base: string | null;
  /** The total of the invoice, with tax; null if it was not found. */
  amount: string | null;
  /** Where the value is printed; null if that is not known. */
  citation: Citation | null;
}

/** The tax of each rate, in the terms of a field. */
export interface ReviewTaxTable {
  /** Whether a person changed the extracted value. */
  corrected: boolean;
  /** Who decided on the value; null if nobody did. */
  decision: FieldDecision | null;
  /** How reliable the extracted value is. */
  confidence: Confidence | null;
  /** Why the value is not `high`. */
  doubt: ReviewDoubt | null;
  /** The value. */
  value: Array<ReviewTaxRow>;
  /** The extracted value; null if none was found. */
  read: Array<ReviewTaxRow>;
}

/** A line item. */
export interface RowBody {
  /** The text of the line. */
  description?: string | null | undefined;
  /** How many. */
  quantity?: string | null | undefined;
  /** The price of one. */
  unit_price?: string | null | undefined;
  /** The total of the line. */
  total?: string | null | undefined;
  /** In percent. */
  tax_rate?: string | null | undefined;
  /** Own fields of the line, by their names. Those that are omitted stay as they are. */
  custom?: Record<string, FieldBody> | undefined;
}

/** Codes for lines that contain words, of vendors whose names contain words. */
export interface RuleBody {
  /** A part of the vendor's name; null: any vendor. */
  vendor?: string | null | undefined;
  /** Words in the line; null: any line. */
  contains?: string | null | undefined;
  /** The code of each dimension that it decides. */
  codes: Record<string, unknown>;
}

/** What a key may do: `full` allows everything, `read` all GET endpoints. */
export type Scope = Open<"full" | "read">;

/** The states of mails that anybody sees: those that are arriving or being removed are in no list. */
export type ShownState = Open<"queued" | "held" | "reading" | "done" | "discarded">;

export type Source = Open<"app" | "email" | "api">;

export type Status = Open<"queued" | "processing" | "complete" | "failed">;

/**
 * Something unusual about an invoice. `text` is a sentence for people; `since` is the day of the oldest of
 * the earlier invoices that it differs from, `evidence` has the ids of the newest five of them.
 * `confirmed_by` is the person's address, or the name of the API key, that has said that it is in order.
 */
export interface SupplierCheck {
  /** A fixed word for programs. */
  kind: CheckKind;
  /** `alert`: have a person look before you pay; `notice`: worth a look. */
  severity: CheckSeverity;
  /** A sentence for people. */
  text: string;
  /** The day of the oldest invoice that it differs from; null if there is none. */
  since: IsoDate | null;
  /** The ids of up to five earlier invoices that it differs from. */
  evidence: Array<string>;
  /** Who confirmed it: an address or the name of an API key; null: nobody. */
  confirmed_by: string | null;
  /** When a person confirmed it; null if nobody did. */
  confirmed_at: IsoDateTime | null;
}

/** The tax of one rate. `rate` is in percent; `base` is the net sum that it is taken of. */
export interface TaxLine {
  /** In percent. */
  rate: Decimal | null;
  /** The net sum that is taxed. */
  base: Decimal | null;
  /** The tax of this rate. */
  amount: Decimal | null;
}

/** The tax of one rate, which is in percent. */
export interface TaxRowBody {
  /** In percent. */
  rate?: string | null | undefined;
  /** The net sum that is taxed. */
  base?: string | null | undefined;
  /** The total of the invoice, with tax; null if it was not found. */
  amount?: string | null | undefined;
}

/**
 * `seconds` is the median of the `measured` reviews, from opening one in the web application to the
 * verdict; null without any. `unseen` invoices came `since` then, were verified automatically, and nobody
 * had to look at them: to review them would have taken `minutes_saved`.
 */
export interface TimeSaved {
  /** The number of measured reviews. */
  measured: number;
  /** The median duration of a review. */
  seconds: number | null;
  /** The start. */
  since: IsoDateTime;
  /** The number of invoices that needed no review. */
  unseen: number;
  /** The time of the reviews that were not necessary, in minutes. */
  minutes_saved: number | null;
}

/**
 * What readings took: the processor time of reading, models and extraction. That of an invoice is of its
 * latest successful reading; invoices of one file share its times by their pages.
 */
export interface Usage {
  /** How many pages were read. */
  pages: number;
  /** How many of its pages OCR read. */
  ocr_pages: number;
  /** Processor time, in milliseconds of one core. */
  cpu_ms: number;
  /** How long the models had a GPU, in milliseconds; null without one. */
  gpu_ms: number | null;
}

/**
 * A vendor as `GET /v1/vendors` shows it; derived from the account's complete invoices. `total_billed`
 * leaves out duplicates and rejected invoices, and takes amounts as they are, whatever their currency.
 * `name` is the one that a person gave, else the one read last; the details are those read last. Vendors
 * that were merged are one.
 */
export interface Vendor {
  /** The id. */
  id: string;
  /** The type of the object. */
  object: "vendor";
  /** The name. */
  name: string;
  /** How many complete invoices the vendor has. */
  invoice_count: number;
  /** The sum of the amounts of its complete invoices. */
  total_billed: Decimal;
  /** The latest issue date. */
  last_seen_at: IsoDate | null;
  /** The website. */
  website: string | null;
  /** The address. */
  email: string | null;
  /** The phone number. */
  phone: string | null;
  /** The same by currency, the largest first; None unless it was asked for. */
  totals: Array<CurrencyTotal> | null;
  /** Tax numbers, accounts and domains, each kind with the one seen last first; None unless it was asked for. */
  identifiers: Array<VendorIdentifier> | null;
}

/**
 * What invoices of a vendor print, except rejected ones: on how many, and when first and last. Domains are
 * those of its website and its e-mail address.
 */
export interface VendorIdentifier {
  /** What the value is. */
  kind: IdentifierKind;
  /** The value. */
  value: string;
  /** How many invoices print it. */
  invoices: number;
  /** The day of the first invoice that prints it. */
  first_seen_at: IsoDate;
  /** The latest issue date. */
  last_seen_at: IsoDate;
}

/** Vendors, highest spend first. */
export interface VendorList {
  /** The type of the object. */
  object: "list";
  /** The object of the event, or the entries of the list. */
  data: Array<Vendor>;
  /** Only with `starting_after`: whether more entries follow. */
  has_more?: boolean;
}

/** A vendor, and how many values of its invoices were corrected. */
export interface VendorQuality {
  /** The name. */
  name: string;
  /** Whether a person changed the extracted value. */
  corrected: number;
}

/** How a mail came in. */
export type Way = Open<"smtp" | "lmtp" | "http" | "imap">;

/** A URL at which the account receives events. */
export interface WebhookEndpoint {
  /** The endpoint's id. */
  id: string;
  /** The kind of resource. */
  object: "webhook_endpoint";
  /** The URL that receives events, in normalised form. */
  url: string;
  /** The purpose of the endpoint, or an empty text. */
  description: string;
  /** False in test mode: an endpoint receives the events of its mode only. */
  livemode: boolean;
  /** All types of events that are sent. */
  types: Array<EventType>;
  /** Whether events are sent; false while the endpoint is paused. */
  active: boolean;
  /**
   * The reason of the pause: `by_hand`, `gone` (it answered 410) or `failing` (for five days); null while it
   * is active.
   */
  paused_reason: PauseReason | null;
  /** When the first attempt since the last success failed; null if the last one succeeded. */
  failing_since: IsoDateTime | null;
  /** When it was registered. */
  created_at: IsoDateTime;
}

/** The account's webhook endpoints, oldest first; all of them, since an account has at most 100. */
export interface WebhookEndpointList {
  /** The kind of answer. */
  object: "list";
  /** The endpoints. */
  data: Array<WebhookEndpoint>;
  /** Always false. */
  has_more: false;
}

/** A webhook endpoint with its secret, which no other response contains. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** The secret that signs webhooks: `whsec_` and base64. Store it: no later response contains it. */
  secret: string;
}

/** Why no VAT is charged: a category (UNTDID 5305) that needs no text of its own. */
export type ZeroRate = Open<"Z" | "AE" | "G">;

/** List Invoices */
export interface ListInvoicesQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Only invoices after this one. It may have been deleted in the last 30 days. */
  starting_after?: string | undefined;
  /** Sets all `citations` to null, which makes the response smaller. */
  exclude?: "citations" | undefined;
  /**
   * `updated_at`: oldest change first, without changes of the last 10 s, which may be incomplete. To
   * continue, send the last item's `updated_at` as `updated_after` and its `id` as `starting_after`. Default:
   * newest invoice first.
   */
  sort?: "updated_at" | undefined;
  /** Only those with this status. */
  status?: Status | undefined;
  /** The channel: `app`, `email` or `api`. */
  source?: Source | undefined;
  /** Strictly after; without an offset in UTC. */
  created_after?: IsoDateTime | Date | undefined;
  /** Strictly before; without an offset in UTC. */
  created_before?: IsoDateTime | Date | undefined;
  /** Part of the vendor's name; case and accents are ignored. */
  vendor?: string | undefined;
  /** Only invoices marked as paid; false: only unpaid ones. */
  paid?: boolean | undefined;
  /** Only complete, unpaid invoices past their due date; false: all others. */
  overdue?: boolean | undefined;
  /** Inclusive. */
  min_amount?: Decimal | number | undefined;
  /** Inclusive. */
  max_amount?: Decimal | number | undefined;
  /** Strictly before. */
  due_before?: IsoDate | undefined;
  /** Strictly after. */
  due_after?: IsoDate | undefined;
  /** The id of a vendor. */
  vendor_id?: string | undefined;
  /** Exactly this number. */
  invoice_number?: string | undefined;
  /** Exactly this code, e.g. `EUR`. */
  currency?: string | undefined;
  /** Exactly this tag. */
  entity_tag?: string | undefined;
  /** Only invoices with an approval request in this state. */
  approval_status?: ApprovalStatus | undefined;
  /** Only duplicates of an older invoice; false: all others. */
  duplicate?: boolean | undefined;
  /** Only the invoices of one file, by the `id` of `batch`. */
  batch?: string | undefined;
  /** Strictly after. */
  issued_after?: IsoDate | undefined;
  /** Strictly before. */
  issued_before?: IsoDate | undefined;
  /** Strictly after; with `sort` and `starting_after`, the position to continue from. */
  updated_after?: IsoDateTime | Date | undefined;
  /** The status of the review; `not_rejected`: all except rejected ones. */
  review?: ReviewFilter | undefined;
  /** Only invoices with an alert among their `checks`; false: all others. */
  has_alerts?: boolean | undefined;
  /** How the invoice matches purchase orders: `matched`, `differs` or `not_found`. */
  order_match?: OrderMatchStatus | undefined;
  /** Only invoices that bill this purchase order, by its id. */
  order_id?: string | undefined;
  /** Only invoices with this value of an own field: `delivery_date:2026-03-01`. */
  custom?: string | undefined;
  /** Only these invoices, separated by commas. Unknown ids are left out. */
  ids?: Array<string> | undefined;
}

/** The changes; at least one property. */
export interface AmendBody {
  /** Mark the invoice as paid or unpaid; only for complete invoices. */
  paid?: boolean | undefined;
  /** Any text. Control characters are dropped; null clears the tag. */
  entity_tag?: string | null | undefined;
}

/** Options for reading a document again. */
export interface ExtractBody {
  /** Read the document again even if the invoice is complete. */
  force?: boolean | undefined;
  /** The password of a protected PDF. It is not stored; the document is then stored without a password. */
  password?: string | null | undefined;
}

/** Get File Link */
export interface GetFileLinkQuery {
  /** The whole file that contained the invoice, not only its own pages. */
  original?: boolean | undefined;
}

/** Get Einvoice */
export interface GetEinvoiceQuery {
  /** Write a valid EN 16931 invoice; `facturx` is CII within the invoice's PDF. */
  format?: EInvoiceFormat | undefined;
  /** With `format`: BT-40, if the invoice does not state it. */
  seller_country?: string | undefined;
  /** With `format`: BT-55, if the invoice does not state it. */
  buyer_country?: string | undefined;
  /** With `format`: the VAT category of rates of 0 % that were read from a page. */
  zero_rate?: ZeroRate | undefined;
}

/** The decisions of a person. */
export interface ReviewBody {
  /** The revision of the review that the person saw. */
  revision: number;
  /** The decided fields; null removes a decision. The others stay. */
  fields?: Record<string, FieldBody | null> | undefined;
  /** The whole table; null removes the decision on it. If omitted, the table stays. */
  line_items?: Array<RowBody> | null | undefined;
  /** The tax of each rate, as a whole table; null removes the decision on it. */
  tax_lines?: Array<TaxRowBody> | null | undefined;
  /** `confirmed`, `rejected` or `open`. If omitted, the status stays. */
  status?: ReviewStatus | null | undefined;
  /** The reason for a rejection. */
  reason?: string | null | undefined;
  /** Which of the invoice's `checks` are in order, by kind; false takes that back. */
  supplier_checks?: Record<string, boolean> | undefined;
}

/** The whole chart as it is to be. */
export interface ChartBody {
  /** The revision of the chart that was seen; 0: there is none yet. */
  revision: number;
  /** What codes answer: which account, cost centre, tax code, project, or an own question. */
  dimensions: Array<DimensionBody>;
  /** Codes for lines with certain words or vendors; the first that applies decides. */
  rules?: Array<RuleBody> | undefined;
}

/** What an invoice is booked on, as a whole. */
export interface CodingBody {
  /** All postings of the invoice; null removes the decision. */
  postings: Array<PostingBody> | null;
}

/** The recipient of the request. */
export interface ApprovalBody {
  /** The address. */
  email: string;
}

/** List Vendors */
export interface ListVendorsQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Only vendors after this one; the response then has `has_more`. */
  starting_after?: string | undefined;
  /** Adds `totals`, the sums by currency, or `identifiers`, what invoices print. */
  include?: "totals" | "identifiers" | undefined;
}

/** A purchase order to keep. */
export interface NewOrderBody {
  /** Its number, which the account has once; spaces, punctuation and case do not count. */
  number: string;
  /** The vendor's name, as its invoices print it. */
  vendor: string;
  /** The currency of its prices (ISO 4217). */
  currency: string;
  /** The day of the order. */
  ordered_on?: IsoDate | null | undefined;
  /** `open`, or `closed`: nothing more may be billed. */
  status?: OrderStatus | undefined;
  /** Its lines. */
  lines: Array<OrderLineBody>;
}

/** List Purchase Orders */
export interface ListPurchaseOrdersQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Only `open` or only `closed` orders. */
  status?: OrderStatus | undefined;
  /** The number, however it is spaced. */
  number?: string | undefined;
  /** The vendor's whole name. */
  vendor?: string | undefined;
  /** Only orders after this one. */
  starting_after?: string | undefined;
}

/** The tolerances of an account. What is omitted has its default. */
export interface OrderRulesBody {
  /** How many percent a line may cost more or less than ordered. */
  price_percent?: Decimal | number | undefined;
  /** The same as an amount in the order's currency; either is enough. */
  amount?: Decimal | number | undefined;
  /** How many percent more than ordered or received may be billed. */
  quantity_percent?: Decimal | number | undefined;
  /** Whether an invoice within tolerance needs no review. */
  skip_review?: boolean | undefined;
}

/** The changes; at least one property. All of them are made, or none. */
export interface AmendOrderBody {
  /** The new number. */
  number?: string | undefined;
  /** The vendor's new name. */
  vendor?: string | undefined;
  /** The new currency. */
  currency?: string | undefined;
  /** The day of the order; null clears it. */
  ordered_on?: IsoDate | null | undefined;
  /** `closed` ends the order, `open` opens it again. */
  status?: OrderStatus | undefined;
  /** All lines of the order: those that are missing here are removed. */
  lines?: Array<OrderLineBody> | undefined;
}

/** Goods that have arrived. */
export interface ReceiveBody {
  /** The lines, each once. */
  lines: Array<ReceivedLineBody>;
}

/** An own field as a whole. */
export interface OwnFieldBody {
  /** What people call it. */
  label: string;
  /** What its values are. It cannot be changed later. */
  type?: OwnFieldType | undefined;
  /** What a value is about; it cannot be changed later. */
  scope?: OwnFieldScope | undefined;
  /** The values that it can have; only of the type `choice`. */
  choices?: Array<string> | undefined;
  /** Words that are printed beside or above the value. */
  captions?: Array<string> | undefined;
  /** Whether an invoice without a sure value needs a person. */
  required?: boolean | undefined;
}

/** A value of an own field, the place where it is printed, or both. */
export interface CustomValueBody {
  /**
   * A text: an exact decimal, an ISO 8601 date, a choice or the printed words. With a `citation` alone, what
   * is printed there; with neither, the value is not printed.
   */
  value?: string | null | undefined;
  /** Where the value is printed; without `value`, what is printed there is read. */
  citation?: CitationBody | null | undefined;
  /** Of a field of lines, the line from 1. */
  line?: number | null | undefined;
}

/** List Events */
export interface ListEventsQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Default: `invoice.completed` and `invoice.failed`. */
  type?: EventType | undefined;
  /** Strictly after; without an offset in UTC. */
  created_after?: IsoDateTime | Date | undefined;
  /** Strictly before; without an offset in UTC. */
  created_before?: IsoDateTime | Date | undefined;
  /** Only events after this one. It may have been deleted in the last 30 days. */
  starting_after?: string | undefined;
}

/** A webhook endpoint to register. */
export interface NewEndpointBody {
  /**
   * The URL that receives events: https, at a public address, without user and password, registered only
   * once.
   */
  url: string;
  /** The purpose of the endpoint; control characters are dropped. */
  description?: string | undefined;
  /** The types of events to send. Default: `invoice.completed` and `invoice.failed`. */
  types?: Array<EventType> | undefined;
}

/** The changes; at least one property. All of them are made, or none. */
export interface AmendEndpointBody {
  /** The new URL. */
  url?: string | undefined;
  /** The new description. */
  description?: string | undefined;
  /** The new types of events. */
  types?: Array<EventType> | undefined;
  /**
   * False pauses the endpoint: deliveries that wait for a retry are abandoned. True resumes it for new
   * events.
   */
  active?: boolean | undefined;
}

/** List Mails */
export interface ListMailsQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Only mails in this state. */
  state?: ShownState | undefined;
  /** Only held mails that wait for this. */
  held_for?: HeldFor | undefined;
  /** Only mails that have a part with this outcome. */
  outcome?: Outcome | undefined;
  /** Only mails after this one. */
  starting_after?: string | undefined;
}

/** What to export. */
export interface NewExportBody {
  /** The program that the file is for. */
  format: ExportFormat;
  /** The settings of the format, such as the accounts; documented with each format. */
  settings?: Record<string, unknown> | undefined;
  /** Only invoices issued on this day or later. */
  issued_since?: IsoDate | null | undefined;
  /** Only invoices issued on this day or earlier. */
  issued_until?: IsoDate | null | undefined;
  /** Only these invoices. Without them, all that are in no export. */
  ids?: Array<string> | undefined;
  /** Also those of `ids` that were exported before. */
  again?: boolean | undefined;
}

/** List Exports */
export interface ListExportsQuery {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /** Only exports after this one. */
  starting_after?: string | undefined;
}

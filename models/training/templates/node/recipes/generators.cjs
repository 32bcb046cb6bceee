// Generators that draw PDFs themselves.
const fs = require("fs");

const dated = (text) => { const [y, m, d] = text.split("-").map(Number); return new Date(y, m - 1, d, 12); };
const lines = (party) => [party.street, party.place, party.country];

async function pdfmakeInvoice(f, chance, path) {
  const { PDFInvoice } = require("@h1dd3nsn1p3r/pdf-invoice");
  const { seller, buyer } = f;
  const invoice = new PDFInvoice({
    company: {
      name: seller.name, address: `${seller.street}, \n ${seller.place}`, phone: `Tel: ${seller.phone}`,
      email: `Mail: ${seller.mail}`, website: `Web: ${seller.web}`, taxId: `Tax ID: ${seller.vat}`,
      bank: chance < 0.5 ? `IBAN: ${seller.iban}` : undefined,
    },
    customer: {
      name: buyer.name, address: `${buyer.street}, ${buyer.place}`, phone: buyer.phone, email: buyer.mail,
      taxId: chance < 0.4 ? `Tax ID: ${buyer.vat}` : undefined,
    },
    invoice: {
      number: f.number, date: f.text.issued, dueDate: f.text.due, status: ["Paid!", "Unpaid", "Open"][Math.floor(chance * 3)],
      locale: f.numbers.decimal === "," ? "de-DE" : "en-US", currency: f.currency, path,
    },
    items: f.items.map((i) => ({ name: i.description, quantity: i.quantity, price: i.price, tax: f.rate })),
    note: { text: f.note, italic: chance < 0.5 },
  });
  await invoice.create();
}

function jspdfInvoice(f, chance) {
  const { default: draw, OutputType } = require("jspdf-invoice-template-nodejs");
  const { seller, buyer } = f;
  const plain = (text) => text.replace(/[^\d.,'’ -]/g, "").trim();
  const rows = f.items.map((i, n) => [n + 1, i.description, i.details, plain(i.text.price), i.count, i.unit, plain(i.text.total)]);
  const sums = [
    { col1: "Total:", col2: plain(f.text.total), col3: f.currency, style: { fontSize: 14 } },
    { col1: `${f.tax_name}:`, col2: plain(f.text.tax), col3: f.currency, style: { fontSize: 10 } },
    { col1: "SubTotal:", col2: plain(f.text.net), col3: f.currency, style: { fontSize: 10 } },
  ];
  const made = draw({
    outputType: OutputType.ArrayBuffer, returnJsPDFDocObject: true, fileName: "x", orientationLandscape: chance > 0.9,
    compress: true,
    business: {
      name: seller.name, address: `${seller.street}, ${seller.place}`, phone: seller.phone, email: seller.mail,
      email_1: chance < 0.5 ? seller.vat : "", website: seller.web,
    },
    contact: {
      label: "Invoice issued for:", name: buyer.name, address: `${buyer.street}, ${buyer.place}`, phone: buyer.phone,
      email: buyer.mail, otherInfo: buyer.vat,
    },
    invoice: {
      label: "Invoice #: ", num: f.number, invDate: `Payment Date: ${f.text.due}`, invGenDate: `Invoice Date: ${f.text.issued}`,
      headerBorder: chance < 0.3, tableBodyBorder: chance < 0.4,
      header: [
        { title: "#", style: { width: 10 } }, { title: "Title", style: { width: 50 } },
        { title: "Description", style: { width: 45 } }, { title: "Price" }, { title: "Quantity" }, { title: "Unit" },
        { title: "Total" },
      ],
      table: rows, additionalRows: sums, invDescLabel: "Invoice Note", invDesc: f.note,
    },
    footer: { text: "The invoice is created on a computer and is valid without the signature and stamp." },
    pageEnable: true, pageLabel: "Page ",
  });
  return Buffer.from(made.jsPDFDocObject.output("arraybuffer"));
}

async function microinvoice(f, chance, path) {
  const MicroInvoice = require("microinvoice");
  const { seller, buyer } = f;
  const price = (value) => ({ value: value.toFixed(2), price: true });
  const header = [{ label: "Invoice Number", value: f.number }, { label: "Date", value: f.text.issued }];
  if (chance < 0.7) header.push({ label: "Due Date", value: f.text.due });
  const total = f.tax
    ? [
        { label: "Total without VAT", ...price(f.net) }, { label: "VAT Rate", value: `${f.rate}%` },
        { label: "VAT Paid", ...price(f.tax) }, { label: "Total paid with VAT", ...price(f.total) },
      ]
    : [{ label: "Total", ...price(f.total) }];
  await new MicroInvoice({
    style: {},
    data: {
      invoice: {
        name: "Invoice", header, currency: f.currency,
        customer: [{ label: "Bill To", value: [buyer.name, ...lines(buyer)] }, { label: "Tax Identifier", value: buyer.vat }],
        seller: [{ label: "Bill From", value: [seller.name, ...lines(seller), seller.mail] }, { label: "Tax Identifier", value: seller.vat }],
        legal: [{ value: f.note, weight: "bold", color: "primary" }],
        details: {
          header: ["Description", "Quantity", ...(chance < 0.5 ? ["Unit price"] : []), "Subtotal"].map((value) => ({ value })),
          parts: f.items.map((i) => [
            { value: i.description }, { value: i.count }, ...(chance < 0.5 ? [price(i.price)] : []), price(i.total),
          ]),
          total,
        },
      },
    },
  }).generate(path);
}

module.exports = {
  "pdf-invoice": pdfmakeInvoice, "jspdf-invoice-template": jspdfInvoice, microinvoice,
};
void fs; void dated;

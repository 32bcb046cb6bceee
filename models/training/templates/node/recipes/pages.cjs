// Packages that make HTML: mails and pages.

function mail(theme) {
  return (f, chance) => {
    const Mailgen = require("mailgen");
    const maker = new Mailgen({
      theme, product: { name: f.seller.name, link: `https://${f.seller.web}/`, copyright: `${f.seller.name}, ${f.seller.street}, ${f.seller.place}` },
    });
    const rows = f.items.map((i) => ({ description: i.description, quantity: i.count, ...(chance < 0.5 ? { "unit price": i.text.price } : {}), amount: i.text.total }));
    const sums = f.tax
      ? [{ description: "Subtotal", quantity: "", ...(chance < 0.5 ? { "unit price": "" } : {}), amount: f.text.net },
         { description: `${f.tax_name} ${f.rate}%`, quantity: "", ...(chance < 0.5 ? { "unit price": "" } : {}), amount: f.text.tax }]
      : [];
    const total = { description: "Total", quantity: "", ...(chance < 0.5 ? { "unit price": "" } : {}), amount: f.text.total };
    return maker.generate({
      body: {
        name: f.buyer.name,
        intro: [`Thank you for your order. This is your receipt.`, `Invoice number: ${f.number}`, `Date: ${f.text.issued}`],
        table: { data: [...rows, ...sums, total], columns: { customWidth: { quantity: "12%", amount: "20%" }, customAlignment: { amount: "right" } } },
        action: { instructions: "You can check the status of your order here:", button: { color: "#3869D4", text: "Go to Dashboard", link: "https://example.com" } },
        outro: f.note,
      },
    });
  };
}

async function invoiceIt(f, chance) {
  const maker = require("invoice-it").default || require("invoice-it");
  const [seller, buyer] = [f.seller, f.buyer].map((party) => ({
    name: party.name, company_name: party.name, first_name: "", last_name: "", street_number: "", street_name: party.street,
    zip_code: party.zip, city: party.city, country: party.country, phone: party.phone, mail: party.mail, website: party.web,
  }));
  buyer.first_name = f.buyer.person.split(" ")[0];
  buyer.last_name = f.buyer.person.split(" ").slice(1).join(" ");
  const invoice = maker.create(buyer, seller);
  invoice.article = f.items.map((i) => ({ description: i.description, tax: f.rate, price: i.price, qt: i.quantity }));
  invoice.lang = chance < 0.4 ? "fr" : "en";
  invoice.date_format = ["YYYY/MM/DD", "DD/MM/YYYY", "DD.MM.YYYY"][Math.floor(chance * 3)];
  invoice.date = f.issued;
  invoice.invoice_reference_pattern = "$prefix{X}";
  invoice.reference = f.number;
  invoice.invoice_note = f.note;
  invoice.footer = `${f.seller.name} - ${f.seller.street} ${f.seller.place} - ${f.seller.vat}`;
  return String(await invoice.getInvoice().toHTML().html);
}

module.exports = {
  ...Object.fromEntries(["default", "cerberus", "neopolitan", "salted"].map((theme) => [`mailgen-${theme}`, mail(theme)])),
  "invoice-it": invoiceIt,
};

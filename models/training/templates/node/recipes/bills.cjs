// The templates of one package: two models of the same Indian bill, and the files that draw them.
const fs = require("fs");

const bootstrap = () => fs.readFileSync(require.resolve("bootstrap/dist/css/bootstrap.min.css"), "utf8");
const stamp = (day) => Date.parse(`${day}T06:30:00Z`);

function newer(f, chance) {
  const { seller, buyer } = f;
  return {
    user: { isPro: 1, registrationStamp: 1600000000000 },
    profile: {
      legalName: seller.name, addressLine1: seller.street, addressCity: seller.city, addressPostalCode: seller.zip,
      contactPersonPhone: seller.phone, contactPersonEmail: seller.mail, gstin: seller.vat, bankAccountNo: seller.iban,
      bankName: seller.bank, bankIFSC: seller.bic, bankAccountType: "Current", bankAccountHolderName: seller.name,
      addressProvience: "", tagline: "", fssaiNumber: "", licenseNumber: "", bankUPI: "", signatureLink: "", logoLink: "",
      pGstPrintFormat: "",
    },
    bill: {
      partyData: {
        ledgerCredit: 0,
        profileData: {
          legalName: buyer.name, gstNumber: buyer.vat, contactPersonName: buyer.name, contactPersonPhone: buyer.phone,
          contactPersonEmail: buyer.mail, addressLine1: `${buyer.street}, ${buyer.city}`, addressPincode: buyer.zip,
          addressOneLine1: chance < 0.5 ? `${buyer.street}, ${buyer.city}` : "", addressState: "", addressOneState: "",
          addressOnePincode: "",
        },
      },
      moneyIn: { billNo: "", dateStamp: 0, amount: 0, txnMode: "", txnRef: "" },
      billItems: f.items.map((i) => ({
        itemDes: "", hsn: i.code, price: i.price, basePrice: i.price, incTax: false, taxPercentage: f.rate, cessPercentage: 0,
        unit: i.unit, quantity: i.quantity, discountPercentage: 0, discount: 0, unitGstAmount: i.tax / i.quantity,
        unitCessAmount: 0, unitDiscountAmount: 0, unitTaxAmount: i.tax / i.quantity, itemTotalGstAmount: i.tax,
        itemTotalCessAmount: 0, itemTotalTaxAmount: i.tax, effectiveTaxPercentage: f.rate, billCashDiscountPercentage: 0,
        total: i.gross, createdStamp: 0, item: { itemName: i.description, hsn: i.code, mrp: 0, expiryDate: 0 }, mrp: null,
        variant: "", subTotal: i.total,
      })),
      roundOffValue: 0, billNo: f.number, billDateStamp: stamp(f.issued), dueDateStamp: stamp(f.due),
      purOrderNo: chance < 0.5 ? f.order : "", eWayBillNo: "", additionalAmount: 0, discountAmount: 0, gstAmount: f.tax,
      cessAmount: 0, totalAmount: f.total, createdStamp: stamp(f.issued), color: ["#3498db", "#27ae60", "#8e44ad"][Math.floor(chance * 3)],
      note: f.note, cashDiscount: 0, amountReceived: 0, totalSaving: 0, subTotalAmount: f.subtotal,
      billCompleteStamp: stamp(f.issued), serviceChargePercentage: 0, serviceChargeAmount: 0,
    },
    settings: { showSignatureInTemplates: false, makeItemNameBold: chance < 0.5, showTaxAndDiscAmt: true },
    onlineDukan: { domain: "" },
  };
}

function older(f, chance) {
  const profile = (party) => ({
    legalName: party.name, contactPersonName: party.name, contactPersonPhone: party.phone, contactPersonEmail: party.mail,
    gstNumber: party.vat, isGstEnabled: true, addressLine1: party.street, addressCity: party.city, addressPincode: party.zip,
    addressOneLine1: "", addressOneCity: "", bankAccountNo: party.iban, bankName: party.bank, ifscCode: party.bic,
    accountType: "Current", upi: "",
  });
  const buyer = { profileData: profile(f.buyer), credit: 0 };
  return {
    user: { profileData: profile(f.seller), user: { isPro: 1 } }, fbUser: { isPro: 1 }, partyInfo: buyer, partyData: buyer,
    invoiceNo: f.number, billNo: f.number, invoiceDateStamp: stamp(f.issued), billDateStamp: stamp(f.issued),
    dueDateStamp: stamp(f.due), createdStamp: stamp(f.issued), purOrderNo: chance < 0.5 ? f.order : "", eWayBillNo: "",
    additionalAmount: 0, discountAmount: 0, gstAmount: f.tax, cessAmount: 0, totalAmount: f.total, itemAmount: f.subtotal,
    amount: 0, amountReceived: 0, flatDiscount: 0, roundOffValue: 0, note: f.note, tnc: "", gstEnabled: true,
    color: ["#3498db", "#27ae60", "#8e44ad"][Math.floor(chance * 3)], textColor: "#ffffff", pageWidth: 210,
    showTaxAndDiscAmt: true, makeItemNameBold: chance < 0.5,
    invoiceItems: f.items.map((i) => ({
      itemName: i.description, itemDes: "", hsn: i.code, itemCode: i.code, sellPrice: i.price, spIncTax: 0,
      purchasePrice: i.price, ppIncTax: 0, taxPercentage: f.rate, cess: 0, unit: i.unit, primaryUnit: i.unit,
      quantity: i.quantity, discountPercent: 0, discountFlat: 0, totalTax: i.tax, totalCess: 0, totalDiscount: 0,
      totalAmount: i.gross, item: { itemName: i.description, hsn: i.code, unit: i.unit, primaryUnit: i.unit },
    })),
  };
}

function drawer(file, name, model) {
  return async (f, chance) => {
    const Template = require(`@makarandkate/invoice-templates/lib/templatesV2/${file}`)[name];
    const html = await new Template(model(f, chance)).main();
    return `<style>${bootstrap()}</style>${html}`;
  };
}

module.exports = {
  "mk-temp1": drawer("temp1", "Temp1", newer), "mk-temp17": drawer("temp17", "Temp17", newer),
  "mk-temp18": drawer("temp18", "Temp18", newer), "mk-temp19": drawer("temp19", "Temp19", newer),
  "mk-temp20": drawer("temp20", "Temp20", newer), "mk-temp2": drawer("temp2", "Temp2", older),
  "mk-gst1-a5": drawer("gst1-A5", "Gst1A5", older),
  "mk-gst2-a5": drawer("gst2-A5", "Gst2A5", older),
  "mk-modern-a5": drawer("modern-A5", "ModernA5", older), "mk-tally-gst": drawer("tallyGST", "TallyGST", older),
  "mk-tally-hsn": drawer("tallyHSN", "TallyHSN", older),
};

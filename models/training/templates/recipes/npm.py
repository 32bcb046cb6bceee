"""Templates of npm packages; their recipes are in `node/recipes/`."""

from models.training.templates.facts import FactOptions
from models.training.templates.registry import Template, add

_INDIAN = FactOptions(countries=("IN",), currencies=("INR",), tax_by_line=True, longest=45)
_MAIL = FactOptions(buyer_person=0.7)

_BILLS = ("@makarandkate/invoice-templates@7.7.0", "bootstrap@3.4.1")
for name in ("temp1", "temp2", "gst1-a5", "gst2-a5", "modern-a5", "tally-gst", "tally-hsn"):
    add(Template(f"mk-{name}", _BILLS, "ISC", _INDIAN, "node"))
for name in ("temp17", "temp18", "temp19", "temp20"):
    add(Template(f"mk-{name}", _BILLS, "ISC", _INDIAN, "node", doc_type="receipt"))

for theme in ("default", "cerberus", "neopolitan", "salted"):
    add(Template(f"mailgen-{theme}", ("mailgen@2.0.36",), "Apache-2.0", _MAIL, "node", doc_type="receipt"))

add(Template("pdf-invoice", ("@h1dd3nsn1p3r/pdf-invoice@1.0.12",), "MIT", FactOptions(whole_quantities=True), "node"))
add(
    Template(
        "jspdf-invoice-template", ("jspdf-invoice-template-nodejs@1.4.40",), "ISC", FactOptions(latin=True), "node"
    )
)
add(Template("microinvoice", ("microinvoice@1.0.6",), "MIT", FactOptions(), "node"))
add(Template("invoice-it", ("invoice-it@2.0.0",), "MIT", FactOptions(whole_quantities=True), "node"))

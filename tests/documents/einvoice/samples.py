"""Small electronic invoices in every syntax, with invented values: 1,000.00 net, 190.00 or a like tax."""

UBL_INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
UBL_CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"
PEPPOL = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
XRECHNUNG = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
_CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
_CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"


def ubl(customization: str = XRECHNUNG, number: str = "RE-2026-118", lines: str = "", total: str = "1190.00") -> bytes:
    """An invoice; `lines` are further lines as XML."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="{UBL_INVOICE}" xmlns:cac="{_CAC}" xmlns:cbc="{_CBC}">
  <cbc:CustomizationID>{customization}</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>{number}</cbc:ID><cbc:IssueDate>2026-03-05</cbc:IssueDate><cbc:DueDate>2026-04-04</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>Thank you for your order.</cbc:Note>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>
  <cbc:BuyerReference>04011000-1234512345-06</cbc:BuyerReference>
  <cac:InvoicePeriod><cbc:StartDate>2026-02-01</cbc:StartDate><cbc:EndDate>2026-02-28</cbc:EndDate></cac:InvoicePeriod>
  <cac:OrderReference><cbc:ID>PO-77</cbc:ID><cbc:SalesOrderID>SO-9</cbc:SalesOrderID></cac:OrderReference>
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>RE-2026-100</cbc:ID>
    <cbc:IssueDate>2026-01-05</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>
  <cac:AdditionalDocumentReference><cbc:ID>Timesheet</cbc:ID><cac:Attachment>
    <cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="times.csv">YQ==</cbc:EmbeddedDocumentBinaryObject>
  </cac:Attachment></cac:AdditionalDocumentReference>
  <cac:AccountingSupplierParty><cac:Party>
    <cbc:EndpointID schemeID="EM">billing@lindner-druck.example</cbc:EndpointID>
    <cac:PartyIdentification><cbc:ID schemeID="SEPA">DE98ZZZ09999999999</cbc:ID></cac:PartyIdentification>
    <cac:PartyName><cbc:Name>Lindner Druck</cbc:Name></cac:PartyName>
    <cac:PostalAddress><cbc:StreetName>Hafenweg 12</cbc:StreetName><cbc:CityName>Bremen</cbc:CityName>
      <cbc:PostalZone>28195</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode>
      </cac:Country></cac:PostalAddress>
    <cac:PartyTaxScheme><cbc:CompanyID>DE136695976</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
    </cac:PartyTaxScheme>
    <cac:PartyTaxScheme><cbc:CompanyID>60/123/45678</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>
    </cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>Lindner Druck GmbH</cbc:RegistrationName>
      <cbc:CompanyID>HRB 4711</cbc:CompanyID></cac:PartyLegalEntity>
    <cac:Contact><cbc:Name>Ute Lindner</cbc:Name><cbc:Telephone>+49 421 555010</cbc:Telephone>
      <cbc:ElectronicMail>ute@lindner-druck.example</cbc:ElectronicMail></cac:Contact>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PartyName><cbc:Name>Stadtwerke Nordhafen</cbc:Name></cac:PartyName>
    <cac:PostalAddress><cbc:StreetName>Am Markt 1</cbc:StreetName><cbc:CityName>Nordhafen</cbc:CityName>
      <cbc:PostalZone>26122</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode>
      </cac:Country></cac:PostalAddress>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:Delivery><cbc:ActualDeliveryDate>2026-02-27</cbc:ActualDeliveryDate></cac:Delivery>
  <cac:PaymentMeans><cbc:PaymentMeansCode name="Transfer">58</cbc:PaymentMeansCode><cbc:PaymentID>RE 118</cbc:PaymentID>
    <cac:PayeeFinancialAccount><cbc:ID>DE88200800000970375700</cbc:ID><cbc:Name>Lindner Druck GmbH</cbc:Name>
      <cac:FinancialInstitutionBranch><cbc:ID>DRESDEFF200</cbc:ID></cac:FinancialInstitutionBranch>
    </cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:PaymentTerms><cbc:Note>30 days net</cbc:Note></cac:PaymentTerms>
  <cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>
    <cbc:AllowanceChargeReason>Loyalty discount</cbc:AllowanceChargeReason>
    <cbc:MultiplierFactorNumeric>5</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="EUR">50.00</cbc:Amount>
    <cbc:BaseAmount currencyID="EUR">1000.00</cbc:BaseAmount>
    <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:AllowanceCharge>
  <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">190.00</cbc:TaxAmount>
    <cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">1000.00</cbc:TaxableAmount>
      <cbc:TaxAmount currencyID="EUR">190.00</cbc:TaxAmount>
      <cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:TaxTotal><cbc:TaxAmount currencyID="SEK">2090.00</cbc:TaxAmount></cac:TaxTotal>
  <cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">1050.00</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="EUR">1000.00</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="EUR">{total}</cbc:TaxInclusiveAmount>
    <cbc:AllowanceTotalAmount currencyID="EUR">50.00</cbc:AllowanceTotalAmount>
    <cbc:PayableAmount currencyID="EUR">{total}</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="H87">500</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="EUR">600.00</cbc:LineExtensionAmount>
    <cac:Item><cbc:Description>A5, 170 g</cbc:Description><cbc:Name>Brochures</cbc:Name>
      <cac:SellersItemIdentification><cbc:ID>BR-5</cbc:ID></cac:SellersItemIdentification>
      <cac:StandardItemIdentification><cbc:ID schemeID="0160">4006381333931</cbc:ID></cac:StandardItemIdentification>
      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="EUR">120.00</cbc:PriceAmount>
      <cbc:BaseQuantity unitCode="H87">100</cbc:BaseQuantity></cac:Price></cac:InvoiceLine>
  <cac:InvoiceLine><cbc:ID>2</cbc:ID><cbc:InvoicedQuantity unitCode="HUR">5</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="EUR">450.00</cbc:LineExtensionAmount>
    <cac:Item><cbc:Name>Layout work</cbc:Name>
      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="EUR">90.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine>{lines}
</ubl:Invoice>""".encode()


def ubl_credit_note() -> bytes:
    """A credit note of Peppol BIS Billing."""
    return f"""<CreditNote xmlns="{UBL_CREDIT_NOTE}" xmlns:cac="{_CAC}" xmlns:cbc="{_CBC}">
  <cbc:CustomizationID>{PEPPOL}</cbc:CustomizationID><cbc:ID>CN-12</cbc:ID><cbc:IssueDate>2026-03-05</cbc:IssueDate>
  <cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Brugge Textiel BV</cbc:Name></cac:PartyName>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-03-19</cbc:PaymentDueDate>
  </cac:PaymentMeans>
  <cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount currencyID="EUR">121.00</cbc:TaxInclusiveAmount>
  </cac:LegalMonetaryTotal>
  <cac:CreditNoteLine><cbc:ID>1</cbc:ID><cbc:CreditedQuantity unitCode="H87">2</cbc:CreditedQuantity>
    <cac:Item><cbc:Name>Linen</cbc:Name></cac:Item></cac:CreditNoteLine>
</CreditNote>""".encode()


def ubl_tr() -> bytes:
    """An invoice of Türkiye."""
    return f"""<Invoice xmlns="{UBL_INVOICE}" xmlns:cac="{_CAC}" xmlns:cbc="{_CBC}">
  <cbc:CustomizationID>TR1.2</cbc:CustomizationID><cbc:ProfileID>TICARIFATURA</cbc:ProfileID>
  <cbc:ID>GIB2026000000042</cbc:ID><cbc:IssueDate>2026-03-05</cbc:IssueDate>
  <cbc:InvoiceTypeCode>SATIS</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>TRY</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PartyIdentification><cbc:ID schemeID="VKN">1234567890</cbc:ID></cac:PartyIdentification>
    <cac:PartyName><cbc:Name>Ege Kahve A.Ş.</cbc:Name></cac:PartyName>
    <cac:PartyTaxScheme><cac:TaxScheme><cbc:Name>Konak</cbc:Name></cac:TaxScheme></cac:PartyTaxScheme>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PartyIdentification><cbc:ID schemeID="TCKN">11111111110</cbc:ID></cac:PartyIdentification>
    <cac:Person><cbc:FirstName>Deniz</cbc:FirstName><cbc:FamilyName>Yalçın</cbc:FamilyName></cac:Person>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:TaxTotal><cbc:TaxAmount currencyID="TRY">200.00</cbc:TaxAmount><cac:TaxSubtotal>
    <cbc:TaxableAmount currencyID="TRY">1000.00</cbc:TaxableAmount>
    <cbc:TaxAmount currencyID="TRY">200.00</cbc:TaxAmount>
    <cbc:Percent>20</cbc:Percent></cac:TaxSubtotal></cac:TaxTotal>
  <cac:WithholdingTaxTotal><cbc:TaxAmount currencyID="TRY">40.00</cbc:TaxAmount></cac:WithholdingTaxTotal>
  <cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount currencyID="TRY">1200.00</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="TRY">1160.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="KGM">4</cbc:InvoicedQuantity>
    <cac:TaxTotal><cac:TaxSubtotal><cbc:Percent>20</cbc:Percent></cac:TaxSubtotal></cac:TaxTotal>
    <cac:Item><cbc:Name>Kahve</cbc:Name></cac:Item></cac:InvoiceLine>
</Invoice>""".encode()


def fatturapa(bodies: int = 1) -> bytes:
    """An invoice of Italy, or several in one file."""
    body = """<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD01</TipoDocumento>
    <Divisa>EUR</Divisa><Data>2026-03-05</Data><Numero>118/A</Numero>
    <DatiRitenuta><TipoRitenuta>RT01</TipoRitenuta><ImportoRitenuta>200.00</ImportoRitenuta></DatiRitenuta>
    <ImportoTotaleDocumento>1220.00</ImportoTotaleDocumento><Causale>Consulenza di febbraio</Causale>
    </DatiGeneraliDocumento><DatiOrdineAcquisto><IdDocumento>PO-77</IdDocumento></DatiOrdineAcquisto></DatiGenerali>
    <DatiBeniServizi><DettaglioLinee><NumeroLinea>1</NumeroLinea><Descrizione>Consulenza</Descrizione>
    <Quantita>10.00</Quantita><UnitaMisura>ore</UnitaMisura><PrezzoUnitario>100.00</PrezzoUnitario>
    <PrezzoTotale>1000.00</PrezzoTotale><AliquotaIVA>22.00</AliquotaIVA></DettaglioLinee>
    <DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>1000.00</ImponibileImporto>
    <Imposta>220.00</Imposta></DatiRiepilogo></DatiBeniServizi>
    <DatiPagamento><CondizioniPagamento>TP02</CondizioniPagamento><DettaglioPagamento>
    <ModalitaPagamento>MP05</ModalitaPagamento><DataScadenzaPagamento>2026-04-04</DataScadenzaPagamento>
    <ImportoPagamento>1020.00</ImportoPagamento><IBAN>IT60X0542811101000000123456</IBAN></DettaglioPagamento>
    </DatiPagamento></FatturaElettronicaBody>"""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<p:FatturaElettronica versione="FPR12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">
  <FatturaElettronicaHeader><DatiTrasmissione><CodiceDestinatario>ABC1234</CodiceDestinatario></DatiTrasmissione>
  <CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA>
    <CodiceFiscale>RSSMRA80A01H501U</CodiceFiscale><Anagrafica><Nome>Mara</Nome><Cognome>Rossetti</Cognome></Anagrafica>
    </DatiAnagrafici><Sede><Indirizzo>Via Garibaldi</Indirizzo><NumeroCivico>7</NumeroCivico><CAP>10122</CAP>
    <Comune>Torino</Comune><Provincia>TO</Provincia><Nazione>IT</Nazione></Sede></CedentePrestatore>
  <CessionarioCommittente><DatiAnagrafici><Anagrafica><Denominazione>Vetreria Alpina S.r.l.</Denominazione></Anagrafica>
    </DatiAnagrafici></CessionarioCommittente></FatturaElettronicaHeader>{body * bodies}
</p:FatturaElettronica>""".encode()


def fatturapa_simplified() -> bytes:
    """A simplified invoice of Italy: amounts with tax, stated once as an amount, once as a rate of zero."""
    return b"""<p:FatturaElettronicaSemplificata versione="FSM10"
    xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.0">
  <FatturaElettronicaHeader><DatiTrasmissione><CodiceDestinatario>ABC1234</CodiceDestinatario></DatiTrasmissione>
  <CedentePrestatore><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA>
    <CodiceFiscale>RSSMRA80A01H501U</CodiceFiscale><Nome>Mara</Nome><Cognome>Rossetti</Cognome>
    <Sede><Indirizzo>Via Garibaldi</Indirizzo><NumeroCivico>7</NumeroCivico><CAP>10122</CAP><Comune>Torino</Comune>
    <Provincia>TO</Provincia><Nazione>IT</Nazione></Sede><RegimeFiscale>RF01</RegimeFiscale></CedentePrestatore>
  <CessionarioCommittente><IdentificativiFiscali><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>09876543210</IdCodice>
    </IdFiscaleIVA></IdentificativiFiscali><AltriDatiIdentificativi>
    <Denominazione>Vetreria Alpina S.r.l.</Denominazione>
    <Sede><Indirizzo>Corso Francia 3</Indirizzo><CAP>10138</CAP><Comune>Torino</Comune><Nazione>IT</Nazione></Sede>
    </AltriDatiIdentificativi></CessionarioCommittente></FatturaElettronicaHeader>
  <FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD08</TipoDocumento><Divisa>EUR</Divisa>
    <Data>2026-03-05</Data><Numero>7/S</Numero></DatiGeneraliDocumento>
    <DatiFatturaRettificata><NumeroFR>3/S</NumeroFR><DataFR>2026-02-01</DataFR>
    <ElementiRettificati>Prezzo del pranzo</ElementiRettificati></DatiFatturaRettificata></DatiGenerali>
    <DatiBeniServizi><Descrizione>Pranzo</Descrizione><Importo>110.00</Importo>
    <DatiIVA><Imposta>10.00</Imposta></DatiIVA></DatiBeniServizi>
    <DatiBeniServizi><Descrizione>Marca da bollo</Descrizione><Importo>2.00</Importo>
    <DatiIVA><Aliquota>0.00</Aliquota></DatiIVA><Natura>N1</Natura></DatiBeniServizi></FatturaElettronicaBody>
</p:FatturaElettronicaSemplificata>"""


def ksef(total: str = "1230.00", kind: str = "VAT") -> bytes:
    """An invoice of Poland, FA(3)."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/"><Naglowek>
  <KodFormularza kodSystemowy="FA (3)" wersjaSchemy="1-0E">FA</KodFormularza></Naglowek>
  <Podmiot1><DaneIdentyfikacyjne><NIP>5260001246</NIP><Nazwa>Drukarnia Wisła sp. z o.o.</Nazwa></DaneIdentyfikacyjne>
    <Adres><KodKraju>PL</KodKraju><AdresL1>ul. Portowa 3</AdresL1><AdresL2>80-001 Gdańsk</AdresL2></Adres></Podmiot1>
  <Podmiot2><DaneIdentyfikacyjne><KodUE>DE</KodUE><NrVatUE>136695976</NrVatUE><Nazwa>Lindner Druck GmbH</Nazwa>
    </DaneIdentyfikacyjne></Podmiot2>
  <Fa><KodWaluty>PLN</KodWaluty><P_1>2026-03-05</P_1><P_2>FV/118/2026</P_2><P_6>2026-03-01</P_6>
    <P_13_1>900.00</P_13_1><P_14_1>207.00</P_14_1><P_13_3>100.00</P_13_3><P_14_3>23.00</P_14_3><P_15>{total}</P_15>
    <RodzajFaktury>{kind}</RodzajFaktury>
    <FaWiersz><NrWierszaFa>1</NrWierszaFa><P_7>Plakaty</P_7><P_8A>szt.</P_8A><P_8B>90</P_8B><P_9A>10.00</P_9A>
      <P_11>900.00</P_11><P_12>23</P_12></FaWiersz>
    <FaWiersz><NrWierszaFa>2</NrWierszaFa><P_7>Usługa</P_7><P_8B>1</P_8B><P_9A>100.00</P_9A><P_11>100.00</P_11>
      <P_12>np I</P_12></FaWiersz>
    <Platnosc><TerminPlatnosci><Termin>2026-04-04</Termin></TerminPlatnosci><FormaPlatnosci>6</FormaPlatnosci>
      <RachunekBankowy><NrRB>61109010140000071219812874</NrRB></RachunekBankowy></Platnosc></Fa></Faktura>""".encode()


def facturae() -> bytes:
    """An invoice of Spain."""
    return b"""<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml">
  <FileHeader><SchemaVersion>3.2.2</SchemaVersion></FileHeader><Parties>
  <SellerParty><TaxIdentification><TaxIdentificationNumber>B12345674</TaxIdentificationNumber></TaxIdentification>
    <LegalEntity><CorporateName>Talleres Ribera S.L.</CorporateName><AddressInSpain><Address>Calle Mayor 5</Address>
    <PostCode>48001</PostCode><Town>Bilbao</Town><Province>Bizkaia</Province><CountryCode>ESP</CountryCode>
    </AddressInSpain></LegalEntity></SellerParty>
  <BuyerParty><TaxIdentification><TaxIdentificationNumber>12345678Z</TaxIdentificationNumber></TaxIdentification>
    <Individual><Name>Ana</Name><FirstSurname>Prieto</FirstSurname><SecondSurname>Lago</SecondSurname></Individual>
  </BuyerParty></Parties>
  <Invoices><Invoice><InvoiceHeader><InvoiceNumber>118</InvoiceNumber><InvoiceSeriesCode>A26</InvoiceSeriesCode>
    <InvoiceClass>OO</InvoiceClass></InvoiceHeader>
    <InvoiceIssueData><IssueDate>2026-03-05</IssueDate><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode></InvoiceIssueData>
    <TaxesOutputs><Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>21.00</TaxRate><TaxableBase><TotalAmount>1000.00
    </TotalAmount></TaxableBase><TaxAmount><TotalAmount>210.00</TotalAmount></TaxAmount></Tax></TaxesOutputs>
    <InvoiceTotals><TotalGrossAmount>1000.00</TotalGrossAmount>
    <TotalGrossAmountBeforeTaxes>1000.00</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>210.00</TotalTaxOutputs>
    <TotalTaxesWithheld>150.00</TotalTaxesWithheld><InvoiceTotal>1060.00</InvoiceTotal>
    <TotalExecutableAmount>1060.00</TotalExecutableAmount></InvoiceTotals>
    <Items><InvoiceLine><ItemDescription>Revision anual</ItemDescription><Quantity>1.0</Quantity>
    <UnitPriceWithoutTax>1000.00</UnitPriceWithoutTax><GrossAmount>1000.00</GrossAmount></InvoiceLine></Items>
    <PaymentDetails><Installment><InstallmentDueDate>2026-04-04</InstallmentDueDate><PaymentMeans>04</PaymentMeans>
    <AccountToBeCredited><IBAN>ES9121000418450200051332</IBAN></AccountToBeCredited></Installment></PaymentDetails>
  </Invoice></Invoices></fe:Facturae>"""


def cfdi() -> bytes:
    """An invoice of Mexico."""
    return b"""<?xml version="1.0" encoding="utf-8"?>
<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Version="4.0" Serie="A" Folio="118"
  Fecha="2026-03-05T10:11:12" FormaPago="03" SubTotal="1000.00" Moneda="MXN" Total="1160.00" TipoDeComprobante="I"
  LugarExpedicion="44100">
  <cfdi:Emisor Rfc="EKU9003173C9" Nombre="Papelera del Lago" RegimenFiscal="601"/>
  <cfdi:Receptor Rfc="XAXX010101000" Nombre="Hotel Mirador" DomicilioFiscalReceptor="06600" UsoCFDI="G03"/>
  <cfdi:Conceptos><cfdi:Concepto ClaveProdServ="14111507" Cantidad="10" ClaveUnidad="XPK" Descripcion="Papel bond"
    ValorUnitario="100.00" Importe="1000.00"><cfdi:Impuestos><cfdi:Traslados><cfdi:Traslado Base="1000.00"
    Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></cfdi:Traslados></cfdi:Impuestos>
  </cfdi:Concepto></cfdi:Conceptos>
  <cfdi:Impuestos TotalImpuestosTrasladados="160.00"><cfdi:Traslados><cfdi:Traslado Base="1000.00" Impuesto="002"
    TipoFactor="Tasa" TasaOCuota="0.160000" Importe="160.00"/></cfdi:Traslados></cfdi:Impuestos>
</cfdi:Comprobante>"""


def nfe() -> bytes:
    """An invoice of Brazil, with its authorisation."""
    return """<?xml version="1.0" encoding="UTF-8"?>
<nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe><infNFe versao="4.00"
  Id="NFe35260312345678000195550010000001181000001180"><ide><natOp>Venda</natOp><serie>1</serie><nNF>118</nNF>
  <dhEmi>2026-03-05T10:00:00-03:00</dhEmi><finNFe>1</finNFe></ide>
  <emit><CNPJ>12345678000195</CNPJ><xNome>Gráfica Ipê Ltda</xNome><enderEmit><xLgr>Rua das Flores</xLgr><nro>20</nro>
    <xBairro>Centro</xBairro><xMun>Campinas</xMun><UF>SP</UF><CEP>13010000</CEP></enderEmit><IE>111222333444</IE></emit>
  <dest><CNPJ>98765432000198</CNPJ><xNome>Mercado Azul S.A.</xNome></dest>
  <det nItem="1"><prod><cProd>P-1</cProd><cEAN>SEM GTIN</cEAN><xProd>Cartazes</xProd><uCom>UN</uCom>
    <qCom>100.0000</qCom><vUnCom>10.0000000000</vUnCom><vProd>1000.00</vProd></prod>
    <imposto><ICMS><ICMS00><pICMS>18.00</pICMS><vICMS>180.00</vICMS></ICMS00></ICMS></imposto></det>
  <total><ICMSTot><vBC>1000.00</vBC><vICMS>180.00</vICMS><vProd>1000.00</vProd><vFrete>25.00</vFrete>
    <vDesc>0.00</vDesc><vNF>1025.00</vNF></ICMSTot></total>
  <cobr><fat><nFat>118</nFat><vLiq>1025.00</vLiq></fat><dup><nDup>001</nDup><dVenc>2026-04-04</dVenc><vDup>1025.00</vDup>
  </dup></cobr></infNFe></NFe></nfeProc>""".encode()

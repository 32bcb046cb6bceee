-- What accounts have ordered.

CREATE TABLE purchase_orders (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    number TEXT NOT NULL,
    number_key TEXT NOT NULL,
    vendor TEXT NOT NULL,
    vendor_key TEXT NOT NULL,
    currency TEXT NOT NULL,
    ordered_on TEXT,
    status TEXT NOT NULL,
    -- JSON.
    lines TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    -- From when on the invoices that bill it are compared again; 0 if nothing has changed since.
    check_at INTEGER NOT NULL,
    -- JSON of the latest changes with an idempotency key.
    changes TEXT NOT NULL,
    UNIQUE (account_id, number_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX purchase_orders_of_account ON purchase_orders (account_id, id, status, vendor_key);
CREATE INDEX purchase_orders_of_vendor ON purchase_orders (account_id, vendor_key, id);
CREATE INDEX purchase_orders_to_check ON purchase_orders (check_at, id) WHERE check_at > 0;

-- Which invoices bill an order: the same as `order_ids` of the invoices. Triggers keep it, so no write can forget it.
CREATE TABLE order_invoices (
    account_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (account_id, order_id, invoice_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_invoices_of_invoice ON order_invoices (invoice_id);

CREATE TRIGGER order_invoices_added AFTER INSERT ON invoices WHEN new.order_ids IS NOT NULL BEGIN
    INSERT INTO order_invoices SELECT new.account_id, value, new.id FROM json_each(new.order_ids);
END;

CREATE TRIGGER order_invoices_changed AFTER UPDATE OF order_ids ON invoices
WHEN new.order_ids IS NOT old.order_ids
BEGIN
    DELETE FROM order_invoices WHERE invoice_id = old.id;
    INSERT INTO order_invoices SELECT new.account_id, value, new.id FROM json_each(new.order_ids)
        WHERE new.order_ids IS NOT NULL;
END;

CREATE TRIGGER order_invoices_removed AFTER DELETE ON invoices WHEN old.order_ids IS NOT NULL BEGIN
    DELETE FROM order_invoices WHERE invoice_id = old.id;
END;

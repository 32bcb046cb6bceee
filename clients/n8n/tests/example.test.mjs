import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWorkflow } from './engine.mjs';

const EXAMPLE = new URL('../examples/invoices-to-csv.json', import.meta.url);
const PDF = new URL('./invoice.pdf', import.meta.url);

test('the example makes a CSV of ten invoices, and a file that cannot be read is a row with its error', async (t) => {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-'));
	t.after(() => rm(folder, { recursive: true }));
	for (let index = 0; index < 10; index++) await copyFile(PDF, join(folder, `${index}.pdf`));
	await copyFile(EXAMPLE, join(folder, 'broken.pdf'));
	const text = (await readFile(EXAMPLE, 'utf8')).replaceAll('/files/invoices', folder);
	const start = performance.now();
	await runWorkflow(JSON.parse(text));
	t.diagnostic(`ten invoices in ${((performance.now() - start) / 1000).toFixed(1)} s`);
	const [head, ...rows] = (await readFile(join(folder, 'results.csv'), 'utf8')).trim().split('\n');
	assert.match(head, /^\W?id,file,status,vendor_name,invoice_number,issued_at,due_at,amount,tax,currency,/);
	assert.equal(rows.filter((row) => row.includes('complete,ACME GmbH,2026-17,2026-05-02')).length, 10);
	assert.equal(rows.filter((row) => /PDF/.test(row)).length, 1);
});

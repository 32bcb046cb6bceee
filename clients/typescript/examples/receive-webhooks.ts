/** Receive webhooks in a Worker, Deno or Bun: a server is a function from a request to its response. */

import { isDeletedEvent, WebhookVerificationError, webhooks } from "invoices-client";

export default {
  async fetch(request: Request, { INVOICES_WEBHOOK_SECRETS }: { INVOICES_WEBHOOK_SECRETS: string }): Promise<Response> {
    try {
      const event = await webhooks.verify(await request.text(), request.headers, INVOICES_WEBHOOK_SECRETS.split(" "));
      if (!isDeletedEvent(event)) console.log(event.type, event.data.invoice.vendor_name, event.data.invoice.amount);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
      throw error;
    }
  },
};

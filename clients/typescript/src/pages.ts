/** Lists that are longer than one answer. */

import type { Call } from "./call.js";
import type { CallOptions } from "./options.js";
import type { Transport } from "./transport.js";

interface Page<Item> {
  data: Item[];
  has_more?: boolean;
}

interface Filters {
  sort?: unknown;
}

/** A list of the service. `for await` requests each page when it is needed. */
export class Pages<Item extends { id: string }> implements AsyncIterable<Item> {
  constructor(
    private readonly transport: Transport,
    private readonly call: Call<Page<Item>>,
    private readonly filters: object,
    private readonly options: CallOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** The items of each page. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    let place = {};
    for (;;) {
      const params = { ...this.filters, ...place };
      const page = await this.transport.call(this.call, [], { params }, this.options);
      yield page.data;
      const last = page.data.at(-1);
      if (!page.has_more || !last) return;
      place = placeAfter(last, this.filters);
    }
  }
}

/** Where the next page begins. A list by time of change continues from that time, too. */
function placeAfter(last: { id: string }, filters: Filters): object {
  const place = { starting_after: last.id };
  return filters.sort === "updated_at" ? { ...place, updated_after: (last as { updated_at?: string }).updated_at } : place;
}

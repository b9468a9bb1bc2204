import type { Static } from 'typebox';
import type { ListedHost } from '#contract/hosts.ts';
import type { Reading } from '../../api/client.ts';
import { api, reading } from '../../api/client.ts';

export type Member = Static<typeof ListedHost>;

const PAGE = 5000;

/** All hosts in a cluster, page by page; of none where the name is empty. It is true for the position of its first page. */
export async function readHosts(cluster: string, signal: AbortSignal): Promise<Reading<readonly Member[]>> {
  const found: Member[] = [];
  let position: number | undefined;
  for (;;) {
    const after = found.at(-1)?.address;
    const query = { cluster, extended: true, limit: PAGE, ...(after !== undefined && { after }) };
    const page = await reading(api.listHosts({ query, signal }));
    position ??= page.position;
    found.push(...page.value);
    if (page.value.length < PAGE) return { value: found, position };
  }
}

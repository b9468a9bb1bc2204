import { DEFAULT_NETWORK } from '../../domain/record-name.ts';
import { newId } from '../../lib/new-id.ts';
import type { Store } from '../../store/store.ts';

/** The network `default` exists from the start. */
export async function ensureDefaultNetwork(store: Store): Promise<void> {
  const record = { name: DEFAULT_NETWORK, type: 'none', options: {}, sealedOptions: {}, revision: newId() };
  await store.transaction(records => records.driverRecords.insertOrLock('network', record));
}

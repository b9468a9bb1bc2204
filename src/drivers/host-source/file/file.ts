import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { errorCode, errorMessage, tryOr } from '../../../lib/errors.ts';
import { fileFingerprint, readRegularFile } from '../../../lib/files.ts';
import { filePathOption } from '../../option-schemas.ts';
import type { HostSource, HostSourceContext, HostSourceDriver } from '../host-source.ts';
import { readInventory } from './inventory.ts';

/** Changes of a symbolic link target or on a network file system cause no watch event, so the file is polled too. */
const POLL_INTERVAL_MS = 2000;

/** Calls `onChange` at the start, and whenever the file changes, disappears or reappears, until the signal aborts. */
async function watchFile(path: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  const readFingerprint = () => fileFingerprint(path).catch(() => 'gone');
  let last = '';
  let [isChecking, isCheckRequested] = [false, false];
  // Only one check at a time, because each check on an unresponsive disk blocks a thread.
  const checkForChange = async () => {
    isCheckRequested = true;
    if (isChecking) return;
    isChecking = true;
    while (isCheckRequested && !signal.aborted) {
      isCheckRequested = false;
      const fingerprint = await readFingerprint();
      if (fingerprint === last || signal.aborted) continue;
      last = fingerprint;
      onChange();
    }
    isChecking = false;
  };
  // Watches the directory, because most programs write a new file and rename it.
  const folder = watchFolder(dirname(path), () => void checkForChange());
  try {
    await checkForChange();
    for await (const _ of setInterval(POLL_INTERVAL_MS, undefined, { ref: false, signal })) await checkForChange();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    folder?.close();
  }
}

// Errors are ignored because polling continues, for example if the watch limit is reached or the directory is deleted.
const watchFolder = (folder: string, onEvent: () => void) =>
  tryOr(undefined, () => watch(folder, { persistent: false }, onEvent).on('error', () => {}));

const optionsSchema = Type.Object(
  { path: filePathOption('Inventory file in YAML or JSON, on the server machine.') },
  { additionalProperties: false },
);

/** Ten thousand hosts need one or two megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;

type Inventory = ReadonlyMap<Address, SourceFacts>;

function openFile({ options: { path } }: HostSourceContext<Static<typeof optionsSchema>>): HostSource {
  let cached: { readonly fingerprint: string; readonly inventory: Promise<Inventory> } | undefined;
  let pending: Promise<Inventory> | undefined;
  const load = async (): Promise<Inventory> => {
    const text = await readRegularFile(path, MAX_BYTES);
    return readInventory(text).catch(error => {
      throw new Error(`${path} ${errorMessage(error)}`);
    });
  };
  const refresh = async (): Promise<Inventory> => {
    const fingerprint = await fileFingerprint(path);
    if (cached?.fingerprint === fingerprint) return cached.inventory;
    const inventory = load();
    cached = { fingerprint, inventory };
    // An error can disappear without a change of the file.
    inventory.catch(() => {
      cached = undefined;
    });
    return inventory;
  };
  // Concurrent reads share one load, because each load on an unresponsive disk blocks a thread of the shared pool.
  const loadCurrent = (): Promise<Inventory> => {
    pending ??= refresh().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    isBulk: true,
    async read(hosts) {
      const inventory = await loadCurrent().catch(error => {
        const code = errorCode(error);
        throw new Error(`path: ${code ? `${path} cannot be read (${code})` : errorMessage(error)}`);
      });
      return new Map(
        hosts.flatMap((host): [Address, SourceFacts][] => {
          const facts = inventory.get(host);
          return facts ? [[host, facts]] : [];
        }),
      );
    },
    watch: (onChange, signal) => watchFile(path, onChange, signal),
  };
}

export const file: HostSourceDriver = {
  type: 'file',
  summary: 'Inventory file in YAML or JSON, read again when it changes',
  options: optionsSchema,
  open: openFile,
};

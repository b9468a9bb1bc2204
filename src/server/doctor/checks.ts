import { certificateCheck } from './certificate-check.ts';
import type { Check } from './check.ts';
import { clockCheck } from './clock-check.ts';
import { configurationCheck } from './configuration-check.ts';
import { dataFolderCheck } from './data-folder-check.ts';
import { hostsCheck } from './hosts-check.ts';
import { listenCheck } from './listen-check.ts';
import { logCheck } from './log-check.ts';
import { opensshCheck } from './openssh-check.ts';
import { reachabilityCheck } from './reachability-check.ts';
import { secretKeyCheck } from './secret-key-check.ts';
import { storeCheck } from './store-check.ts';

/** In this order: what others stand on comes first. */
export const CHECKS: readonly Check[] = [
  configurationCheck,
  dataFolderCheck,
  storeCheck,
  secretKeyCheck,
  clockCheck,
  certificateCheck,
  listenCheck,
  opensshCheck,
  logCheck,
  hostsCheck,
  reachabilityCheck,
];

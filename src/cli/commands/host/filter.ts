import type { Command } from 'commander';
import { Option } from 'commander';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../domain/vocabulary.ts';
import { several } from '../../command-line.ts';

/** Which hosts are meant, wherever many are told of. */
export interface HostFilter {
  readonly cluster?: string;
  readonly status?: HostStatus;
  readonly os?: string;
  readonly label?: readonly string[];
}

export const withHostFilter = (command: Command): Command =>
  command
    .option('--cluster <cluster>', 'only members of this cluster')
    .addOption(new Option('--status <status>', 'only hosts in this status').choices(HOST_STATUSES))
    .option('--os <os>', 'only hosts with this system')
    .option('-l, --label <key=value>', 'only hosts with this label; several: with all of them', several);

export const hostQuery = ({ cluster, status, os, label }: HostFilter) => ({
  ...(cluster !== undefined && { cluster }),
  ...(status !== undefined && { status }),
  ...(os !== undefined && { os }),
  ...(label && { label: [...label] }),
});

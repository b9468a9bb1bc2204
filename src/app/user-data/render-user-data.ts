// User data for cloud-init: variable assignments followed by `enrol.sh`, which enrols the host that runs it.
// Invariants: every value is shell-quoted. The script contains no private key, and a password only for a legacy login.

import { readFileSync } from 'node:fs';
import type { Secret } from '../../domain/secret.ts';
import { shellQuote } from '../../lib/text.ts';

export interface UserData {
  /** URL at which hosts reach the service, such as `https://hostler.example:8000`. */
  readonly url: string;
  /** `token`, or the account for a legacy login. */
  readonly login: string;
  readonly password: Secret;
  /** Public key of the service for `authorized_keys`. */
  readonly publicKey: string;
  /** SSH user of the service. */
  readonly remoteUser: string;
  /** Empty means none. */
  readonly cluster: string;
  /** CA certificate of the service in PEM. Empty means a CA that the system trusts. */
  readonly ca: string;
  /** Comment lines at the top of the script. */
  readonly notes: readonly string[];
}

const SCRIPT = readFileSync(new URL('enrol.sh', import.meta.url), 'utf8');

const comment = (line: string) => `# ${line.replaceAll(/[\r\n]+/g, ' ')}`;

export function renderUserData(data: UserData): string {
  const values = {
    hostler_url: data.url,
    hostler_login: data.login,
    hostler_password: data.password.reveal(),
    hostler_public_key: data.publicKey,
    hostler_user: data.remoteUser,
    hostler_cluster: data.cluster,
    hostler_ca: data.ca.trim(),
  };
  const assignments = Object.entries(values).map(([name, value]) => `${name}=${shellQuote(value)}`);
  return ['#!/bin/sh', ...data.notes.map(comment), '', ...assignments, '', SCRIPT].join('\n');
}

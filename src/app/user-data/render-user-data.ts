// User data for cloud-init: variable assignments followed by `enrol.sh`. Invariants: every value is shell-quoted; the
// script contains no private key, and a password only for a legacy login.

import { readFileSync } from 'node:fs';
import type { Secret } from '../../domain/secret.ts';
import { shellQuote } from '../../lib/text.ts';

export interface UserData {
  /** The URL at which hosts reach the service, such as `https://hostler.example:8000`. */
  readonly url: string;
  /** `token`, or the account for a legacy login. */
  readonly login: string;
  readonly password: Secret;
  /** Of the service, for `authorized_keys`. */
  readonly publicKey: string;
  readonly remoteUser: string;
  readonly cluster: string;
  /** In PEM. Empty: a CA that the system trusts. */
  readonly ca: string;
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

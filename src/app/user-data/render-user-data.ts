// User data for cloud-init: a shell script that enrols the host it runs on (`enrol.sh`), with what is needed for that in front. What must
// hold: every value is quoted, whatever is in it; there is no private key in it, and no password unless somebody asked for the old way.

import { readFileSync } from 'node:fs';
import type { Secret } from '../../domain/secret.ts';
import { shellQuote } from '../../lib/text.ts';

export interface UserData {
  /** Where hosts find the service, such as `https://hostler.example:8000`. */
  readonly url: string;
  /** `token`, or the account that hosts enrol themselves with. */
  readonly login: string;
  readonly password: Secret;
  /** The service's own, as in `authorized_keys`: it gets in with it. */
  readonly publicKey: string;
  /** As whom the service logs in. */
  readonly remoteUser: string;
  /** Empty: none. */
  readonly cluster: string;
  /** What the service's certificate is signed by, as PEM; empty: by somebody whom every system knows. */
  readonly ca: string;
  /** For people who read it, one line each. */
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

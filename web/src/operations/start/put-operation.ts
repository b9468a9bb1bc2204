import type { Static } from 'typebox';
import type { Client } from '#client/client.ts';
import type { DryRun } from '#contract/routes/cluster-operations.ts';
import type { OperationKind } from '#vocabulary';
import { OPERATION_ID_PATTERN } from '#vocabulary';
import type { Wish } from '../../policy/policy-draft.ts';

export type Plan = Static<typeof DryRun>;

/** What somebody wants to be done to a cluster. */
export interface Asked {
  readonly kind: OperationKind;
  readonly cluster: string;
  /** Of a deployment. */
  readonly version: string;
  readonly policy: Wish;
}

type Putting = Pick<Client, 'putRestart' | 'putUpgrade' | 'putDeploy'>;

function put(api: Putting, asked: Asked, policy: Wish, headers: Record<string, string> = {}) {
  const { kind, cluster: name, version } = asked;
  switch (kind) {
    case 'restart':
      return api.putRestart({ name, body: { policy }, headers });
    case 'upgrade':
      return api.putUpgrade({ name, body: { policy }, headers });
    case 'deploy':
      return api.putDeploy({ name, body: { policy, version }, headers });
  }
}

/** What would be done; nothing is. */
export async function previewOperation(api: Putting, asked: Asked): Promise<Plan> {
  const { body } = await put(api, asked, { ...asked.policy, dry_run: true });
  if ('dry_run' in body) return body;
  throw new Error('The server returned no plan. Check the list of operations.');
}

const OPERATION = new RegExp(`/(${OPERATION_ID_PATTERN})$`);

/** Starts it, and answers its id. The same key again starts nothing new. */
export async function startOperation(api: Putting, asked: Asked, key: string): Promise<string> {
  const { headers } = await put(api, asked, asked.policy, { 'idempotency-key': key });
  const [, id] = OPERATION.exec(headers.get('location') ?? '') ?? [];
  if (id !== undefined) return id;
  throw new Error('The server returned no operation ID. Check the list of operations.');
}

import type { Static } from 'typebox';
import type { DryRun } from '#contract/routes/cluster-operations.ts';
import type { Client } from '#sdk/client.ts';
import { getOperationId } from '#sdk/response-headers.ts';
import type { OperationKind } from '#vocabulary';
import type { PartialPolicy } from '../../policy/policy-form-values.ts';

export type Plan = Static<typeof DryRun>;

export interface StartRequest {
  readonly kind: OperationKind;
  readonly cluster: string;
  /** Only for deploy. */
  readonly version: string;
  readonly policy: PartialPolicy;
}

type StartApi = Pick<Client, 'putRestart' | 'putUpgrade' | 'putDeploy'>;

function sendRequest(
  api: StartApi,
  request: StartRequest,
  policy: PartialPolicy,
  headers: Record<string, string> = {},
) {
  const { kind, cluster: name, version } = request;
  switch (kind) {
    case 'restart':
      return api.putRestart({ name, body: { policy }, headers });
    case 'upgrade':
      return api.putUpgrade({ name, body: { policy }, headers });
    case 'deploy':
      return api.putDeploy({ name, body: { policy, version }, headers });
  }
}

export async function previewOperation(api: StartApi, request: StartRequest): Promise<Plan> {
  const { body } = await sendRequest(api, request, { ...request.policy, dry_run: true });
  if ('dry_run' in body) return body;
  throw new Error('The server returned no plan. Check the list of operations.');
}

/** Returns the operation ID. A repeated call with the same idempotency key returns the same operation. */
export async function startOperation(api: StartApi, request: StartRequest, key: string): Promise<string> {
  return getOperationId(await sendRequest(api, request, request.policy, { 'idempotency-key': key }));
}

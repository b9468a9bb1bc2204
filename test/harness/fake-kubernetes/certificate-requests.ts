// Validation, approval and signing of certificate requests.

import type { Clock } from '../../../src/lib/time/clock.ts';
import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import type { FieldError } from './api-error.ts';
import { forbiddenValue, invalidValue, missingValue, unsupportedValue } from './api-error.ts';
import type { Cluster } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { fieldsAt, findCondition, formatTime, isFields, isSame, listAt, textAt } from './objects.ts';
import { CERTIFICATE_REQUESTS } from './resources.ts';

const CONDITIONS = 'status.conditions';
const TRUE_ONLY = ['Approved', 'Denied', 'Failed'];

const decodePem = (object: KubeObject) => Buffer.from(textAt(object, 'spec', 'request'), 'base64').toString();

const getConditions = (object: KubeObject) => listAt(object, 'status', 'conditions').filter(isFields);

function conditionErrors(conditions: readonly Fields[]): FieldError[] {
  const errors = conditions.flatMap((condition, index) => {
    const [type, status] = [textAt(condition, 'type'), textAt(condition, 'status')];
    const field = `${CONDITIONS}[${index}]`;
    const allowed = TRUE_ONLY.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    return [
      ...(type === '' ? [missingValue(`${field}.type`)] : []),
      ...(status === '' ? [missingValue(`${field}.status`)] : []),
      ...(status === '' || allowed.includes(status) ? [] : [unsupportedValue(`${field}.status`, status, allowed)]),
    ];
  });
  const types = conditions.map(condition => textAt(condition, 'type'));
  const last = Math.max(types.indexOf('Approved'), types.indexOf('Denied'));
  if (!types.includes('Approved') || !types.includes('Denied')) return errors;
  const field = `${CONDITIONS}[${last}].type`;
  const detail = 'Approved and Denied conditions are mutually exclusive';
  return [...errors, invalidValue(field, types[last] ?? '', detail)];
}

export function requestErrors(object: KubeObject): FieldError[] {
  const [signer, usages] = [textAt(object, 'spec', 'signerName'), listAt(object, 'spec', 'usages')];
  const isPem = /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(decodePem(object));
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/[a-z0-9.-]+$/.test(signer);
  return [
    ...(isPem
      ? []
      : [
          invalidValue('spec.request', textAt(object, 'spec', 'request'), 'PEM block type must be CERTIFICATE REQUEST'),
        ]),
    ...(usages.length === 0 ? [missingValue('spec.usages', 'usages must be provided')] : []),
    ...(signer === '' ? [missingValue('spec.signerName', 'signerName must be provided')] : []),
    ...(signer === '' || isDomain
      ? []
      : [
          invalidValue(
            'spec.signerName',
            signer,
            "must be a fully qualified domain and path of the form 'example.com/signer-name'",
          ),
        ]),
    ...conditionErrors(getConditions(object)),
  ];
}

/** Approval changes only the conditions; the server sets their times. */
export function applyConditions(next: KubeObject, current: KubeObject, subresource: string, clock: Clock): void {
  if (subresource === '') return;
  const now = formatTime(clock.now());
  const conditions = getConditions(next).map(condition => {
    const existing = findCondition(current, textAt(condition, 'type'));
    const hasChanged = existing === undefined || existing['status'] !== condition['status'];
    const changedAt = hasChanged ? now : (existing['lastTransitionTime'] ?? now);
    return { lastUpdateTime: now, lastTransitionTime: changedAt, ...condition };
  });
  const status = fieldsAt(subresource === 'approval' ? current : next, 'status');
  next['status'] = { ...status, conditions };
}

export function requestUpdateErrors(next: KubeObject, current: KubeObject, subresource: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of TRUE_ONLY) {
    const [before, after] = [findCondition(current, type), findCondition(next, type)];
    const isDecision = type !== 'Failed' && subresource !== 'approval';
    const verb = before !== undefined && after === undefined ? 'remove' : isDecision ? 'add' : '';
    const isNew = before === undefined && after !== undefined;
    if (verb === 'remove' || (verb === 'add' && isNew)) {
      errors.push(forbiddenValue(CONDITIONS, `updates may not ${verb} a condition of type "${type}"`));
    }
  }
  const [before, after] = [textAt(current, 'status', 'certificate'), textAt(next, 'status', 'certificate')];
  if (subresource === 'status' && before !== '' && before !== after) {
    errors.push(forbiddenValue('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}

const SIGNERS = ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving'].map(
  name => `kubernetes.io/${name}`,
);

const isUnsigned = (object: KubeObject) =>
  SIGNERS.includes(textAt(object, 'spec', 'signerName')) &&
  findCondition(object, 'Approved') !== undefined &&
  textAt(object, 'status', 'certificate') === '';

/** The signing controller runs asynchronously after the approval. */
export function signApproved({ store, settings }: Cluster, authority: CertificateAuthority): void {
  const sign = async (name: string) => {
    const request = store.get(CERTIFICATE_REQUESTS, '', name);
    if (request === undefined || !isUnsigned(request)) return;
    const certificate = await authority.sign(decodePem(request)).catch(() => undefined);
    const latest = store.get(CERTIFICATE_REQUESTS, '', name);
    if (latest === undefined || !isSame(latest['spec'], request['spec']) || !isUnsigned(latest)) return;
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure' };
    const outcome =
      certificate === undefined
        ? { conditions: [...listAt(latest, 'status', 'conditions'), failed] }
        : { certificate: Buffer.from(certificate).toString('base64') };
    store.write(CERTIFICATE_REQUESTS, { ...latest, status: { ...fieldsAt(latest, 'status'), ...outcome } });
  };
  store.onChange(({ resource, after }) => {
    if (resource === CERTIFICATE_REQUESTS && after && settings.signsCertificates) void sign(after.metadata.name);
  });
}

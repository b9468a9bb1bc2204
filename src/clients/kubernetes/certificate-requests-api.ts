import type { Static } from 'typebox';
import Type from 'typebox';
import { reading } from '../reading.ts';
import type { ApiServer } from './api-server.ts';
import { listing } from './pages.ts';

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const condition = Type.Object({ type: Type.String(), status: Type.Optional(Type.String()) });

const requestSchema = Type.Object({
  metadata: Type.Object({ name: Type.String(), uid: Type.String(), creationTimestamp: Type.String() }),
  spec: Type.Object({
    request: Type.String(),
    signerName: Type.String(),
    username: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.String())),
    usages: Type.Optional(Type.Array(Type.String())),
  }),
  status: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) })),
});

/** Somebody's wish for a certificate. */
export interface CertificateRequest {
  readonly name: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly signerName: string;
  /** Who has asked for it. */
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  /** PKCS#10 as PEM: what is asked for. */
  readonly pem: string;
  /** Whether nobody has approved or denied it yet, and it has not failed. */
  readonly isPending: boolean;
}

function requestOf({ metadata, spec, status }: Static<typeof requestSchema>): CertificateRequest {
  return {
    name: metadata.name,
    uid: metadata.uid,
    createdAt: metadata.creationTimestamp,
    signerName: spec.signerName,
    username: spec.username ?? '',
    groups: spec.groups ?? [],
    usages: spec.usages ?? [],
    pem: Buffer.from(spec.request, 'base64').toString('utf8'),
    isPending: (status?.conditions ?? []).length === 0,
  };
}

const listRequests = listing(requestSchema, requestOf);
/** With all that it has: what is written back may lack nothing. */
const readWhole = reading(
  'a certificate request of the API',
  Type.Object({
    metadata: Type.Object({ uid: Type.String() }),
    status: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) })),
  }),
);

export interface CertificateRequestsApi {
  list(signerName?: string): Promise<readonly CertificateRequest[]>;
  /** Approves a request if it is still pending; `again`: somebody has changed it meanwhile, and it is to be looked at again. */
  approve(
    request: Pick<CertificateRequest, 'name' | 'uid'>,
    why: string,
  ): Promise<'approved' | 'again' | 'decided' | 'gone'>;
}

export const certificateRequestsApi = (server: ApiServer): CertificateRequestsApi => ({
  async list(signerName) {
    const query = { fieldSelector: signerName && `spec.signerName=${signerName}` };
    return (await listRequests(server, { path: PATH, what: 'list certificate requests', query })).items;
  },
  async approve({ name, uid }, why) {
    const path = `${PATH}/${encodeURIComponent(name)}`;
    const what = 'approve certificate requests';
    const found = await server.ask({ method: 'GET', path, what, expects: [404] });
    if (found.status === 404) return 'gone';
    const whole = readWhole(found.body);
    if (whole.metadata.uid !== uid) return 'gone';
    if ((whole.status?.conditions ?? []).length > 0) return 'decided';
    const approved = { type: 'Approved', status: 'True', reason: 'HostlerApprove', message: why };
    const { status } = await server.ask({
      method: 'PUT',
      path: `${path}/approval`,
      body: { ...whole, status: { ...whole.status, conditions: [approved] } },
      what,
      expects: [404, 409],
    });
    if (status === 404) return 'gone';
    return status === 409 ? 'again' : 'approved';
  },
});

// A real etcd of the tests, of one member or of three, on an address of this process's own. It is spoken to by the gateway for JSON that
// each member has. What must hold: no member outlives this process, and what they wrote goes with its run folder.

import { rmSync } from 'node:fs';
import type { ClientCertificate } from '../certificates/certificates.ts';
import type { JsonAnswer } from '../http/json-request.ts';
import { until } from '../until.ts';
import type { EtcdMember } from './etcd-member.ts';

interface Status {
  readonly leader?: string;
  readonly header?: { readonly member_id?: string };
}

const text = (value: string) => Buffer.from(value).toString('base64');

export class Etcd {
  /** Where clients find the members, in their order. */
  readonly endpoints: readonly string[];
  /** What a client shows, and whom it believes; without TLS there is none. */
  readonly tls: ClientCertificate | undefined;
  readonly #folder: string;
  readonly #members: readonly EtcdMember[];

  constructor(folder: string, members: readonly EtcdMember[], tls: ClientCertificate | undefined) {
    this.endpoints = members.map(({ url }) => url);
    this.tls = tls;
    this.#folder = folder;
    this.#members = members;
  }

  #member(index: number): EtcdMember {
    const member = this.#members[index];
    if (member === undefined) throw new Error(`there is no member ${index}`);
    return member;
  }

  get #running(): { member: EtcdMember; index: number }[] {
    return this.#members.map((member, index) => ({ member, index })).filter(({ member }) => member.isOn);
  }

  /** By the gateway of a member, such as `/v3/kv/range`; without a member, of the first that runs. */
  post(path: string, body: unknown, member = this.#running[0]?.index ?? 0): Promise<JsonAnswer> {
    return this.#member(member).post(path, body);
  }

  /** What is under a key, as its members have agreed. */
  async get(key: string): Promise<string | undefined> {
    const { body } = await this.post('/v3/kv/range', { key: text(key) });
    const { kvs = [] } = body as { kvs?: { value?: string }[] };
    return kvs.length === 0 ? undefined : Buffer.from(kvs[0]?.value ?? '', 'base64').toString();
  }

  async put(key: string, value: string): Promise<void> {
    const { status, body } = await this.post('/v3/kv/put', { key: text(key), value: text(value) });
    if (status !== 200) throw new Error(`etcd did not write: ${status} ${JSON.stringify(body)}`);
  }

  /** The member that leads, once those that run agree on one of themselves. */
  leader(): Promise<number> {
    return until('the members that run have a leader', async () => {
      const asked = this.#running.map(async ({ member, index }) => {
        const { body } = await member.post('/v3/maintenance/status', {});
        return { index, ...(body as Status) };
      });
      const all = await Promise.all(asked).catch(() => []);
      const leader = all[0]?.leader ?? '0';
      if (all.length === 0 || leader === '0' || all.some(each => each.leader !== leader)) return undefined;
      return all.find(each => each.header?.member_id === leader)?.index;
    });
  }

  /** At once, by a signal that it does not see coming. */
  kill(member: number): Promise<void> {
    return this.#member(member).kill();
  }

  /** With the data that it had. It takes part again when this is done. */
  async restart(member: number): Promise<void> {
    await this.kill(member);
    this.#member(member).start();
    await this.#member(member).takesPart();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map(member => member.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

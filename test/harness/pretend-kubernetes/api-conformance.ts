// What every server of the Kubernetes API does, ours and a real one: run it against both, so that no misreading sits in the one that
// drivers are tested with. It needs an administrator who is called admin, and no controllers, which change
// what is looked at.

import { afterAll, beforeAll, describe } from 'vitest';
import type { ApiSubject } from './conformance/api-lab.ts';
import { ApiLab } from './conformance/api-lab.ts';
import { describeCertificateRequests } from './conformance/certificate-requests.ts';
import { describeEvictions } from './conformance/evictions.ts';
import { describeLists } from './conformance/lists.ts';
import { describeObjects } from './conformance/objects.ts';
import { describePatches } from './conformance/patches.ts';
import { describeRefusals } from './conformance/refusals.ts';
import { describeWatches } from './conformance/watches.ts';

export function describeKubernetesApi(what: string, subject: ApiSubject): void {
  describe(what, () => {
    const lab = new ApiLab(subject);

    beforeAll(() => lab.open());
    afterAll(() => lab.close());

    describeObjects(lab);
    describePatches(lab);
    describeRefusals(lab);
    describeLists(lab);
    describeWatches(lab);
    describeEvictions(lab);
    describeCertificateRequests(lab);
  });
}

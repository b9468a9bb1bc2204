// Behaviour of the Kubernetes API, tested against the fake and a real server, so that drivers are not tested
// against a misunderstanding. Requires a user `admin` and no controllers, which would change the objects.

import { afterAll, beforeAll, describe } from 'vitest';
import { describeCertificateRequests } from './conformance/certificate-requests.ts';
import { describeErrors } from './conformance/errors.ts';
import { describeEvictions } from './conformance/evictions.ts';
import type { ApiTarget } from './conformance/fixtures.ts';
import { ApiFixture } from './conformance/fixtures.ts';
import { describeLists, describeWatches } from './conformance/lists-and-watches.ts';
import { describeObjects } from './conformance/objects.ts';
import { describePatches } from './conformance/patches.ts';

export function describeKubernetesApi(name: string, subject: ApiTarget): void {
  describe(name, () => {
    const fixture = new ApiFixture(subject);

    beforeAll(() => fixture.open());
    afterAll(() => fixture.close());

    describeObjects(fixture);
    describePatches(fixture);
    describeErrors(fixture);
    describeLists(fixture);
    describeWatches(fixture);
    describeEvictions(fixture);
    describeCertificateRequests(fixture);
  });
}

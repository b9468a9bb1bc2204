import { Page } from '../../ui/page.tsx';

export const ClustersPage = () => (
  <Page title="Clusters">
    <p>Clusters</p>
  </Page>
);

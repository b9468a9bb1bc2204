import { Page } from '../../ui/page.tsx';

export const ContainerManagersPage = () => (
  <Page title="Container managers">
    <p>Container managers</p>
  </Page>
);

/** People who ask to be forgotten: all their requests, one of them, or its certificate. */
import type { ScreenProps } from '../../screen.ts';
import { Certificate } from './papers.tsx';
import { OneRequest } from './request.tsx';
import { Requests } from './requests.tsx';

export function PrivacyScreen({ path, rest: [id = '', part] }: ScreenProps): JSX.Element {
  if (id === '') return <Requests path={path} />;
  return part === 'certificate' ? (
    <Certificate path={path} id={id} />
  ) : (
    <OneRequest path={path} id={id} />
  );
}

/** People who ask to be forgotten: all their requests, or one of them. */
import type { JSX } from 'preact';
import type { ScreenProps } from '../../screen.ts';
import { OneRequest } from './request.tsx';
import { Requests } from './requests.tsx';

export function PrivacyScreen({ path, rest: [id] }: ScreenProps): JSX.Element {
  return id === undefined || id === '' ? (
    <Requests path={path} />
  ) : (
    <OneRequest path={path} id={id} />
  );
}

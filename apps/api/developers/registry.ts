import { application, applicationActions } from './pages/application.ts';
import { applicationList, createAction } from './pages/applications.ts';
import { endpointActions, endpointPage, endpointsPage } from './pages/endpoints.ts';
import { callPage, usagePage } from './pages/usage.ts';

const all = [applicationList, application, usagePage, callPage, endpointsPage, endpointPage];
const everyAction = [createAction, ...applicationActions, ...endpointActions];

export const pages = new Map(all.map((page) => [page.path, page]));
export const actions = new Map(everyAction.map((action) => [action.path, action]));

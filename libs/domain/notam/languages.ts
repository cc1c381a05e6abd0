/** Translates closures in French, Spanish, Italian and Portuguese word for word into the English of NOTAM. */

const closure =
  /\b(?:FERME(?:E?S?)|FERMETURE|CERRAD[OA]S?|CLAUSURAD[OA]S?|CIERRE|CHIUS[OAEI]|FECHAD[OA]S?|INTERDITAD[OA]S?|INTERDITE?S?|INUTILI[SZ]ABLES?|NO DISPONIBLES?|NO UTILIZABLES?|NON UTILISABLES?|FUERA DE SERVICIO|HORS SERVICE|PROHIBID[OA]S?)\b/;

/** In order of application: longer phrases come first. */
const words: [RegExp, string][] = [
  [/\b(?:JUSQU'?A? ?A? NOUVEL AVIS|HASTA NUEVO AVISO|FINO A NUOVO AVVISO|ATE NOVO AVISO)\b/g, 'UFN'],
  [
    /\b(?:AU (?:TRAFIC|CIRCULATION) AERIENN?E?|A TOUT(?:E)? (?:LE )?(?:TRAFIC|CIRCULATION)(?: AERIENN?E?)?|A TOUS (?:LES )?(?:AERONEFS|VOLS)|A TODO (?:EL )?(?:TRAFICO|TIPO DE (?:TRAFICO|AERONAVES))(?: AEREO)?|A TODAS LAS (?:AERONAVES|OPERACIONES)|A TUTTO IL TRAFFICO|PARA TODO (?:O )?TRAFEGO|PARA TODAS LAS OPERACIONES)\b/g,
    'TO ALL TFC',
  ],
  [
    /\b(?:EN RAISON D(?:E|U|ES)?|DU FAIT D(?:E|U|ES)?|SUITE AU?X?|POUR CAUSE D(?:E|U)?|DEBIDO A(?:L| LA)?|A CAUSA D(?:E|I|EL)?(?: LA)?|CAUSA|DEVIDO A?O?|POR)\b/g,
    'DUE TO',
  ],
  [/\b(?:HORS SERVICE|FUERA DE SERVICIO|FUORI SERVIZIO)\b/g, 'U/S'],
  [/\b(?:NO DISPONIBLES?|NO UTILIZABLES?|NON UTILISABLES?|INUTILI[SZ]ABLES?)\b/g, 'NOT AVBL'],
  [/\b(?:FERMETURE|CIERRE) (?:DE |DU |D'|DEL )?(?:LA |LES |L')?/g, 'CLOSURE OF '],
  [/\b(?:FERME(?:E?S?)|CERRAD[OA]S?|CLAUSURAD[OA]S?|CHIUS[OAEI]|FECHAD[OA]S?|INTERDITAD[OA]S?)\b/g, 'CLSD'],
  [/\b(?:INTERDITE?S?|PROHIBID[OA]S?|VIETAT[OAIE])\b/g, 'PROHIBITED'],
  [/\b(?:NON REVETUE|NO PAVIMENTADA|EN HERBE|DE HIERBA|DE CESPED)\b/g, 'GRASS'],
  [/\b(?:REVETUE|PAVIMENTADA|EN DUR)\b/g, 'PAVED'],
  [/\b(?:PISTES?|PISTAS?)\b/g, 'RWY'],
  [/\b(?:AERODROMO|AEROPUERTO|AEROPORTO|AEROPORT|TERRAIN)\b/g, 'AD'],
  [/\b(?:DECOLLAGES?|DESPEGUES?|DECOLLI|DECOLLO|DECOLAGE(?:M|NS))\b/g, 'TKOF'],
  [/\b(?:ATTERRISSAGES?|ATERRIZAJES?|ATTERRAGGI|ATTERRAGGIO|POUSOS?)\b/g, 'LDG'],
  [/\b(?:TRAVAUX|OBRAS|LAVORI|SERVICOS|TRABAJOS)\b/g, 'WORKS'],
  [/\b(?:ENTRETIEN|MAINTENANCE|MANTENIMIENTO|MANUTENZIONE|MANUTENCAO)\b/g, 'MAINT'],
  [/\b(?:SAUF|EXCEPTE|EXCEPTO|SALVO|ECCETTO|EXCETO)\b/g, 'EXC'],
  [/\b(?:POUR|PARA|PER)\b/g, 'FOR'],
  [/\b(?:AUX?|A LOS|A LAS)\b/g, 'TO'],
  [/\b(?:ET|OU|E|O)\b/g, 'AND'],
  [/(?<!TWY )\bY\b/g, 'AND'],
  [/\b(?:EST|SONT|SERA|SERONT|ESTA|ESTARA|ESTARAN|PERMANECERA|SERAN?)\b/g, 'IS'],
  [/\b(?:LA|LE|LES|EL|LAS|LOS|IL|L')\s/g, ' '],
  [/\b(?:TRAFIC|TRAFICO|TRAFFICO|TRAFEGO)\b/g, 'TFC'],
  [/\b(?:HELICOPTERES?|HELICOPTEROS?|ELICOTTERI)\b/g, 'HEL'],
  [/\b(?:PLANEURS?|PLANEADORES|ALIANTI)\b/g, 'GLIDERS'],
  [/\b(?:AERONEFS?|AERONAVES?|AEROMOBILI|AVIONS)\b/g, 'ACFT'],
  [/\b(?:URGENCES?|EMERGENCIAS?|EMERGENZA)\b/g, 'EMERG'],
  [/\s{2,}/g, ' '],
];

/** Causes behind an English closure word: "CLSD DEBIDO A MAINT". */
const causes =
  /\b(?:EN RAISON D(?:E|U|ES)?|SUITE AU?X?|POUR CAUSE D(?:E|U)?|DEBIDO A(?:L| LA)?|A CAUSA D(?:E|I|EL)?(?: LA)?|DEVIDO A?O?|(?:POUR|POR|PER|CAUSE|CAUSA)(?= (?:TRAVAUX|ENTRETIEN|OBRAS|TRABAJOS|MANTENIMIENTO|LAVORI|MANUTENZIONE|SERVICOS|MANUTENCAO|MAINT)))\b/g;

/** Translates a statement with a closure in one of these languages; in any other, only the words for "due to". */
export const inEnglish = (statement: string): string =>
  closure.test(statement)
    ? words.reduce((text, [form, english]) => text.replace(form, english), statement).trim()
    : statement.replace(causes, 'DUE TO');

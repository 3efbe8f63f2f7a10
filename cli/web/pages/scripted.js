"use strict";
// Before anything is drawn: this page has scripts, so that what they will show otherwise is not laid out in vain.
document.documentElement.classList.add("scripted");

# Lets the programs write their man pages and completions: cmake -DTOOL= -DSTUDIES= -DGZIP= -DOUT= -P write_manual.cmake
# OUT gets man1/, manyone (for bash) and _manyone (for zsh). With GZIP the pages are packed, as Debian wants them.
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})
execute_process(COMMAND ${TOOL} manual --man ${OUT}/man1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${STUDIES} manual --man ${OUT}/studies OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${OUT}/studies/manyone-reproduce.1 ${OUT}/man1/manyone-reproduce.1)
file(REMOVE_RECURSE ${OUT}/studies)
execute_process(COMMAND ${TOOL} completion bash OUTPUT_FILE ${OUT}/manyone COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TOOL} completion zsh OUTPUT_FILE ${OUT}/_manyone COMMAND_ERROR_IS_FATAL ANY)
if(GZIP)
  file(GLOB pages ${OUT}/man1/*.1)
  execute_process(COMMAND ${GZIP} -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
